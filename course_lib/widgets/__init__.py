"""I widget del corso: fanno vedere e chiedono; i conti li fanno i piani di sotto."""
