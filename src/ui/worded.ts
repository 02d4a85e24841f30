/**
 * A rule's words as a sentence at its field. The spec's are fragments: "must be a number" needs the field's name before it,
 * "invalid email" is complete but for its capital. A sentence that came whole stays as it is.
 */
export function errorSentence(label: string, message: string): string {
  const sentence = /^(must|is|are|has) /.test(message) ? `${label} ${message}` : message
  const capital = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}
