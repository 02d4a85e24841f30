/** A text as a field of one line shows it; a cell that is opened and left keeps its lines. */
export const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ')
