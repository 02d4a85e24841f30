const NOT_TYPED_IN = ['button', 'checkbox', 'radio', 'file', 'submit', 'reset', 'color', 'range']

/** Whether keys go into the element: a field, a select, an editor. */
export function isTyping(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (element instanceof HTMLInputElement) return !NOT_TYPED_IN.includes(element.type)
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement || element.isContentEditable
}
