/**
 * Returns the text for the QR code of an enrolment: it opens the counter at `origin`, which asks for a login if there is none. The router turns a
 * value that looks like a number into a number, and 3E512345 into infinity, so such a code is written in two halves.
 */
export const enrolmentLink = (origin: string, code: string): string =>
  `${origin}/redeem?code=${/^\d+(E\d*)?$/.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : code}`
