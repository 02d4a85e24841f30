import bwipjs from 'bwip-js/node'
import { expect, it } from 'vitest'
import { ean13Modules } from './Ean13.tsx'

/** Widths of bars and gaps in turn, as another program draws them. */
function modulesOf(text: string): string {
  const [{ sbs }] = bwipjs.raw({ bcid: 'ean13', text }) as unknown as [{ sbs: number[] }]
  return sbs.map((width, at) => (at % 2 === 0 ? '1' : '0').repeat(width)).join('')
}

it.each(['9990000000012', '4006381333931', '2004839201186', '0012345678905', '5901234123457', '7612345678900'])(
  'the bars of %s are those that another program draws',
  (digits) => {
    expect(ean13Modules(digits)).toBe(modulesOf(digits))
  },
)
