/** A stranger's words in a sentence of ours: no line of theirs may look like one of the mail's. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
