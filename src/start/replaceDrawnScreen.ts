const LOOK_AGAIN_MS = 20

/**
 * Replaces the screen that the build drew with the app's first screen (rule 18.2). It keeps the typed text, the focus and the
 * caret, and carries out a press of the button or of a link in the form (boot.ts). It waits until an input method has finished
 * its word and no finger is down, because the word or the click would be lost. Meanwhile the app stays out of the page, where a
 * password manager would find two logins.
 */
export function replaceDrawnScreen(root: HTMLElement): void {
  const first = document.getElementById('first')
  if (!first) return
  const { composing, pressing } = document.documentElement.dataset
  if (composing !== undefined || pressing !== undefined) {
    root.remove()
    setTimeout(() => replaceDrawnScreen(root), LOOK_AGAIN_MS)
    return
  }
  const focused = document.activeElement
  if (!root.isConnected) first.after(root)
  root.hidden = false
  for (const field of first.querySelectorAll('input')) carryValue(field, root)
  if (focused && first.contains(focused)) carryFocus(focused, root)
  const pressed = first.querySelector('[data-pressed]')
  first.remove()
  // React has the typed text by the next task.
  if (pressed) setTimeout(() => carryPress(pressed, root))
}

/** Finds the same field in the app: the drawn fields have neither its name nor its id. */
const findSameField = (field: HTMLInputElement, root: Element) =>
  root.querySelector<HTMLInputElement>(`input[autocomplete="${field.autocomplete}"]`)

function carryValue(field: HTMLInputElement, root: Element) {
  const appField = findSameField(field, root)
  if (!appField || field.value === '') return
  // Bypasses React's own setter, because React would think that it has set the value itself.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(appField, field.value)
  appField.dispatchEvent(new Event('input', { bubbles: true }))
}

function carryFocus(focused: Element, root: Element) {
  if (focused instanceof HTMLInputElement) {
    const appField = findSameField(focused, root)
    if (appField) carryCaret(focused, appField)
    return
  }
  findSameElement(focused, root)?.focus()
}

function carryPress(pressed: Element, root: Element) {
  if (pressed instanceof HTMLFormElement) root.querySelector('form')?.requestSubmit()
  else findSameElement(pressed, root)?.click()
}

const findSameElement = (drawn: Element, root: Element) =>
  [...root.querySelectorAll<HTMLElement>(drawn.tagName)].find((one) => readName(one) === readName(drawn))

const readName = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

function carryCaret(
  { selectionStart, selectionEnd, selectionDirection }: HTMLInputElement,
  appField: HTMLInputElement,
) {
  const { type } = appField
  appField.focus()
  // The caret of an email field cannot be set.
  appField.type = 'text'
  appField.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined)
  appField.type = type
}
