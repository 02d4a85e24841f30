/** Length of the first answer in `received`, or `undefined` while that cannot be told. */
export function answerLength(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.slice(0, headEnd)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return headEnd + 4 + Number(length)
  const end = received.indexOf('\r\n0\r\n\r\n', headEnd)
  return end < 0 ? undefined : end + 7
}
