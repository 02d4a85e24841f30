const LOOK_AGAIN_MS = 20

/**
 * Replaces the screen that the build drew with the app's first screen (rule 18.2). It keeps the typed text, the focus and the
 * caret, and carries out a press of the button or of a link in the form (boot.ts). It waits for the end of a composition, because
 * an input method would lose its word, and until no finger is down, because its click would be lost. Meanwhile the app stays out of
 * the page: a password manager would find two logins.
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
const fieldLike = (field: HTMLInputElement, root: Element) =>
  root.querySelector<HTMLInputElement>(`input[autocomplete="${field.autocomplete}"]`)

function carryValue(field: HTMLInputElement, root: Element) {
  const heir = fieldLike(field, root)
  if (!heir || field.value === '') return
  // Bypasses React's own setter: React would take the value for one that it has set itself.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(heir, field.value)
  heir.dispatchEvent(new Event('input', { bubbles: true }))
}

function carryFocus(focused: Element, root: Element) {
  if (focused instanceof HTMLInputElement) {
    const heir = fieldLike(focused, root)
    if (heir) carryCaret(focused, heir)
    return
  }
  elementLike(focused, root)?.focus()
}

function carryPress(pressed: Element, root: Element) {
  if (pressed instanceof HTMLFormElement) root.querySelector('form')?.requestSubmit()
  else elementLike(pressed, root)?.click()
}

const elementLike = (drawn: Element, root: Element) =>
  [...root.querySelectorAll<HTMLElement>(drawn.tagName)].find((one) => nameOf(one) === nameOf(drawn))

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

function carryCaret({ selectionStart, selectionEnd, selectionDirection }: HTMLInputElement, heir: HTMLInputElement) {
  const { type } = heir
  heir.focus()
  // A field for an email has no caret that can be set.
  heir.type = 'text'
  heir.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined)
  heir.type = type
}
