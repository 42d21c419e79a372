"""Le curve lungo la profondità: dicono la partenza e la fine, e cambiano con i numeri."""

from course_lib.figures.depth import depth_curves
from course_lib.figures.masks import TITLE, mask_grid


def drawn(**changes):
    options = {"what": "coseno", "title": "Scende", **changes}
    return depth_curves({"piccole": [1.0, 0.9, 0.75], "grandi": [1.0, 0.2, -0.125]}, **options)


def test_it_says_where_every_curve_starts_and_ends():
    picture = drawn()
    assert picture.png.startswith(b"\x89PNG")
    assert picture.alt.startswith("Scende. coseno, lungo 2 blocchi. ")
    assert repr(picture).splitlines() == [
        "Scende.",
        "piccole: alla partenza 1,000, alla fine 0,750.",
        "grandi: alla partenza 1,000, alla fine −0,125.",
    ]


def test_a_tiny_number_is_written_as_a_power():
    picture = depth_curves({"niente": [1.0, 1e-4, 8e-15]}, what="colpetto", title="Si spegne", powers=True)
    assert repr(picture).endswith("alla fine 8·10⁻¹⁵.")
    assert "8·10⁻¹⁵" in picture.alt


def test_the_same_numbers_give_the_same_bytes_and_another_scale_does_not():
    assert drawn().png == drawn().png != drawn(limits=(-1, 1)).png


def test_the_grid_of_masks_takes_another_title():
    state = {"name": "una", "rows": ["a"], "columns": ["a"], "sums": [1.0]}
    state |= {"allowed": [[True]], "weights": [[1.0]]}
    assert repr(mask_grid([state])).startswith(TITLE)
    assert repr(mask_grid([state], title="Un altro")).startswith("Un altro")
