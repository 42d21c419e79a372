"""Nel box: al posto dei pacchetti di course_lib, vuoto apposta."""
