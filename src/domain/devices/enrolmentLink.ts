/**
 * Returns the text for the QR code of an enrolment: it opens the portal at `origin`, and makes the device a till. The code is in the fragment, which no
 * browser sends to a server.
 */
export const enrolmentLink = (origin: string, code: string): string => `${origin}/enrol#token=${code}`
