import { expect, it } from 'vitest'
import { circles, refusedArrows } from './arrows.ts'
import { figuresOf } from './figures.ts'
import { importsOf, productionFiles, type SourceFile } from './graph.ts'

const file = (path: string, ...to: string[]): SourceFile => ({
  path,
  lines: 1,
  imports: to.map((one) => ({ to: one, kind: 'value' })),
})

it.each(figuresOf(productionFiles()).map((figure) => [figure.what, figure] as const))(
  'the tree is within its limit: %s',
  (_, { value, most = Infinity, worst }) => {
    expect(value > most ? [value, ...worst] : []).toEqual([])
  },
)

it.each([
  ['src/contract/vouchers.ts', 'react'],
  ['src/domain/money.ts', 'src/api/call.ts'],
  ['src/api/call.ts', 'src/state/auth.ts'],
  ['src/state/auth.ts', 'src/offline/connectivity/connectivity.ts'],
  ['src/offline/reads/cachedRead.ts', 'src/api/call.ts'],
  ['src/offline/store/keepList.ts', 'src/offline/reads/cachedRead.ts'],
  ['src/offline/store/keepList.ts', 'react'],
  ['src/ui/Button.tsx', 'src/domain/money.ts'],
  ['src/blocks/list/RecordTable.tsx', 'src/features/masters/MastersPage.tsx'],
  ['src/features/masters/MastersPage.tsx', 'src/features/branches/BranchesPage.tsx'],
  ['src/features/masters/MastersPage.tsx', 'src/routes/login.tsx'],
  ['src/routes/login.tsx', 'src/main.tsx'],
  ['sw/index.ts', 'src/offline/reads/cachedRead.ts'],
  ['src/main.tsx', 'server/app.ts'],
  ['src/main.tsx', 'tests/support/origin.ts'],
  ['server/db/vouchers/vouchers.ts', 'server/services/vouchers/readVoucher.ts'],
  ['server/store/s3Store.ts', 'server/services/uploads/uploads.ts'],
  ['server/mail/mailSender.ts', 'server/services/uploads/uploads.ts'],
  ['server/services/vouchers/readVoucher.ts', 'server/http/mount.ts'],
  ['server/services/vouchers/readVoucher.ts', 'drizzle-orm'],
  ['server/routes/vouchers.ts', 'server/db/vouchers/vouchers.ts'],
  ['server/app.ts', 'src/ui/Button.tsx'],
])('%s may not import %s', (from, to) => {
  expect(refusedArrows([file(from, to)])).toEqual([`${from} → ${to}`])
})

it.each([
  ['src/contract/vouchers.ts', 'valibot'],
  ['src/features/masters/MastersPage.tsx', 'src/features/masters/masterActs.ts'],
  ['sw/index.ts', 'src/offline/store/keepList.ts'],
  ['server/routes/vouchers.ts', 'server/services/vouchers/readVoucher.ts'],
  ['server/db/vouchers/vouchers.ts', 'drizzle-orm'],
])('%s may import %s', (from, to) => {
  expect(refusedArrows([file(from, to)])).toEqual([])
})

it('a circle of types is a circle, a lazy import is none', () => {
  const back = { ...file('src/state/b.ts', 'src/state/a.ts') }
  expect(circles([file('src/state/a.ts', 'src/state/b.ts'), back])).toEqual([['src/state/a.ts', 'src/state/b.ts']])
  const lazy: SourceFile = { ...back, imports: [{ to: 'src/state/a.ts', kind: 'lazy' }] }
  expect(circles([file('src/state/a.ts', 'src/state/b.ts'), lazy])).toEqual([])
})

it('imports are read in every form in which they are written', () => {
  const text = [
    "import { a,\n  type B } from './a.ts'",
    "import type { C } from '../c.ts'",
    "import './d.css'",
    "export { e } from 'valibot'",
    "const f = () => import('./f.ts')",
  ].join('\n')
  expect(importsOf('src/x/y.ts', text)).toEqual([
    { to: 'src/x/a.ts', kind: 'value' },
    { to: 'src/c.ts', kind: 'type' },
    { to: 'valibot', kind: 'value' },
    { to: 'src/x/d.css', kind: 'value' },
    { to: 'src/x/f.ts', kind: 'lazy' },
  ])
})
