/** Back to where one writes, after an answer by button. Not on a phone: its keyboard would cover what has just come. */
export function focusMessage(): void {
  if (matchMedia("(pointer: fine)").matches) document.getElementById("message")?.focus();
}
