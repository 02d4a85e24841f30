import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { bufferedLines, jsonLog } from './log.ts'

it('writes the lines of one turn together after it, in their order, and each once', async () => {
  const written: string[] = []
  const { write } = bufferedLines((text) => void written.push(text))
  write('a\n')
  write('b\n')
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['a\nb\n'])
  await nextTurn()
  write('c\n')
  await nextTurn()
  expect(written).toEqual(['a\nb\n', 'c\n'])
})

it('loses no line when the process ends before the turn does', async () => {
  const written: string[] = []
  const { write, flush } = bufferedLines((text) => void written.push(text))
  jsonLog(write, () => new Date(0)).info('stopping')
  flush()
  expect(written).toEqual(['{"at":"1970-01-01T00:00:00.000Z","level":"info","event":"stopping"}\n'])
  await nextTurn()
  expect(written).toHaveLength(1)
})

it('WEB-13: what a caller wrote starts no line of its own and moves no terminal', () => {
  const written: string[] = []
  const email = 'a\r\n[INFO] admin login\u001b[31m\u009b31m\u007f\u2028b'
  jsonLog(
    (line) => void written.push(line),
    () => new Date(0),
  ).warn('login_refused', { email })
  expect(written).toHaveLength(1)
  // oxlint-disable-next-line no-control-regex
  expect(written[0]!.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  expect(JSON.parse(written[0]!)).toMatchObject({ event: 'login_refused', email })
})
