import { describe, expect, it } from 'vitest'
import { movedTo, subPath } from './paths.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('paths below a feature', () => {
  it.each([
    ['profile', [], { view: 'detail', id: undefined }],
    ['profile', ['edit'], { view: 'edit', id: undefined }],
    ['masters', [], { view: 'list', list: 'all' }],
    ['masters', ['create'], { view: 'create' }],
    ['masters', [ID, 'edit'], { view: 'edit', id: ID }],
    ['branches', ['adhoc'], { view: 'list', list: 'adhoc' }],
    ['branches', ['master', ID], { view: 'detail', id: ID }],
    ['branches', [ID, 'view'], { view: 'detail', id: ID }],
  ] as const)('%s %j is known', (feature, path, asked) => {
    expect(subPath(feature, ...path)).toEqual(asked)
  })

  it.each([
    ['profile', ['create']],
    ['profile', ['pos-import']],
    ['masters', ['view']],
    ['masters', [ID, 'view']],
    ['masters', [ID]],
    ['branches', ['import']],
    ['branches', ['pos-import']],
    ['branches', ['detail', 'abc']],
    ['branches', ['master', 'abc']],
    ['branches', [ID, 'delete']],
  ] as const)('%s %j leads to /404', (feature, path) => {
    expect(subPath(feature, ...path)).toBeUndefined()
  })
})

describe('a screen that moved', () => {
  it.each([
    ['/branches/import', '/imports/branches'],
    ['/branches/pos-import', '/imports/pos-users'],
    ['/profile/pos-import', '/imports/pos-users'],
    ['/branches', undefined],
    ['/imports/branches', undefined],
  ])('%s is now at %s', (path, now) => expect(movedTo(path)).toBe(now))
})
