import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const DOCKERFILE = resolve(import.meta.dirname, '../../../Dockerfile')

export interface Instruction {
  name: string
  text: string
}

/** Returns the instructions of the Dockerfile's last stage, which becomes the image. */
export function imageInstructions(): Instruction[] {
  const lines = readFileSync(DOCKERFILE, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const instructions = lines.map((line) => {
    const [, name = '', text = ''] = /^(\w+) +(.*)$/.exec(line) ?? []
    return { name, text }
  })
  return instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
}

/** Returns the words of a CMD in exec form. In a HEALTHCHECK the CMD is the end of the text. */
export const execForm = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[]
