"""What a person writes: reading and checking a scenario."""
