/**
 * Text as it is compared: small letters without their marks, and a space for everything that is neither letter nor digit. It has
 * the length of `text`, so that a place found in one is a place in the other.
 */
export function foldText(text: string): string {
  // Most names are plain, and there are thousands of them.
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase().replaceAll(/[^a-z\d]/g, ' ')
  return [...text].map(foldCharacter).join('')
}

function foldCharacter(character: string): string {
  const plain = character.normalize('NFD').toLowerCase()
  const bare = plain.slice(0, plain.codePointAt(0)! > 0xffff ? 2 : 1)
  return /^[\p{L}\p{N}]$/u.test(bare) && bare.length === character.length ? bare : ' '.repeat(character.length)
}
