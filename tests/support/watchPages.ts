import type { BrowserContext, ConsoleMessage } from '@playwright/test'

export interface PageWatch {
  /** For a test that provokes a complaint on purpose: matching ones are forgiven, past and coming. */
  forgive(pattern: RegExp): void
  /** What went wrong on any page of the context so far, and was not forgiven. */
  complaints(): string[]
  complain(text: string): void
}

/** The browser's own line for a refused answer. The product answers 4xx to bad input by design, so API paths may. */
const REFUSED_ANSWER = /the server responded with a status of 4\d\d/
/** The last is the worker's script, asked for in the moment the line was cut. */
const LINE_FAILURE =
  /net::ERR_|the server responded with a status of 503|An unknown error occurred when fetching the script/

/** How a page reports a policy violation to `watchPages`, past any policy. */
const VIOLATION = 'securitypolicyviolation:'

/** Collects page errors, console errors and CSP violations of every tab of `context`, the ones opened later included. */
export async function watchPages(context: BrowserContext, lineWasDisturbed: () => boolean): Promise<PageWatch> {
  const heard: string[] = []
  const forgiven: RegExp[] = []
  const complain = (text: string) => void heard.push(text)
  await context.addInitScript((prefix) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      console.error(`${prefix} ${effectiveDirective} ${blockedURI} ${sourceFile}`)
    })
  }, VIOLATION)
  context.on('weberror', (error) => complain(`page error: ${error.error().stack || error.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message, lineWasDisturbed())) {
      complain(`console error: ${message.text()} (${message.location().url})`)
    }
  })
  return {
    complain,
    forgive: (pattern) => void forgiven.push(pattern),
    complaints: () => heard.filter((text) => !forgiven.some((pattern) => pattern.test(text))),
  }
}

function isExpected(message: ConsoleMessage, lineWasDisturbed: boolean): boolean {
  const text = message.text()
  const { pathname } = URL.canParse(message.location().url) ? new URL(message.location().url) : { pathname: '' }
  if (REFUSED_ANSWER.test(text) && /^\/(api|reporting)\//.test(pathname)) return true
  return lineWasDisturbed && LINE_FAILURE.test(text)
}
