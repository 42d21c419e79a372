"""Il pianterreno: l'attenzione e i Transformer in NumPy, funzioni pure, nell'ordine del corso."""

from course_lib.transformer.attention import Attention, scaled_dot_product_attention, softmax

__all__ = ["Attention", "scaled_dot_product_attention", "softmax"]
