import { expect, it } from 'vitest'
import { figuresOf } from './figures.ts'
import { productionFiles } from './graph.ts'

it.each(figuresOf(productionFiles()).map((figure) => [figure.what, figure] as const))(
  'the tree is within its limit: %s',
  (_, { value, most = Infinity, worst }) => {
    expect(value > most ? [value, ...worst] : []).toEqual([])
  },
)
