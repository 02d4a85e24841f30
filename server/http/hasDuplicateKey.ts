/** Strings, those that name a field with their colon; and where objects begin and end. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g

/**
 * Whether an object in the text, which is JSON, names a field twice. `JSON.parse` takes the last one without a word, another
 * parser on the way may have judged the first (cases ACL-12).
 */
export function hasDuplicateKey(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (text !== undefined && colon !== undefined) {
      const names = open.at(-1)
      // "\u0061" and "a" are one name.
      const name = JSON.parse(text) as string
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}
