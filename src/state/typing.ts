import { proxy } from 'valtio/vanilla'

const QUIET_AFTER_MS = 10_000

/** Whether somebody typed a moment ago: nothing new appears on the screen then. */
export const typing = proxy({ recent: false })

let typedOn: string | undefined
let quiet: ReturnType<typeof setTimeout> | undefined

const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio], [type=hidden], [type=file]), textarea'

/** Notes what is typed from now on, in any field, and what may have been typed before this code had come. */
export function watchTyping(): void {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)
  if ([...fields].some(({ value }) => value !== '')) typedOn = location.pathname
  addEventListener('input', noteTyping, { passive: true, capture: true })
}

function noteTyping() {
  typedOn = location.pathname
  typing.recent = true
  clearTimeout(quiet)
  quiet = setTimeout(() => {
    typing.recent = false
  }, QUIET_AFTER_MS)
}

/** Something was typed on the screen that is open: a half login is no form's unsaved answer, and nobody types it twice gladly. */
export const hasTypedHere = (): boolean => typedOn === location.pathname
