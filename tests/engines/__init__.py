"""Two spreadsheet engines that calculate a saved workbook again, and the tests of these engines."""
