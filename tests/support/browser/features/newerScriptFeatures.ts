import type { Identifier } from '@mdn/browser-compat-data/types'
import { parseSync, Visitor, type ESTree } from 'vite'
import { areNewer, browserData, isNewer, membersOf } from './browserData.ts'

const INTERFACES: Record<string, Identifier> = { ...browserData.api, ...browserData.javascript.builtins }

/** Objects that every script reaches by this name, with what they are. */
const KNOWN: Record<string, readonly string[]> = {
  '': ['Window', 'WorkerGlobalScope', 'ServiceWorkerGlobalScope'],
  document: ['Document'],
  navigator: ['Navigator', 'WorkerNavigator'],
  'navigator.clipboard': ['Clipboard'],
  'navigator.locks': ['LockManager'],
  'navigator.mediaDevices': ['MediaDevices'],
  'navigator.permissions': ['Permissions'],
  'navigator.serviceWorker': ['ServiceWorkerContainer'],
  'navigator.storage': ['StorageManager'],
  history: ['History'],
  location: ['Location'],
  performance: ['Performance'],
  crypto: ['Crypto'],
  'crypto.subtle': ['SubtleCrypto'],
  indexedDB: ['IDBFactory'],
  caches: ['CacheStorage'],
}
const GLOBAL = new Set(['window', 'self', 'globalThis'])

/** Members by name, of everything that the oldest supported browsers can make. */
const membersByName = new Map<string, Identifier[]>()
for (const type of Object.values(INTERFACES)) {
  if (!type.__compat || isNewer(type.__compat)) continue
  for (const [name, feature] of membersOf(type)) {
    if (/_static$|_event$/.test(name)) continue
    membersByName.set(name, [...(membersByName.get(name) ?? []), feature])
  }
}

/**
 * What these scripts use that one of the oldest supported browsers lacks: `navigator.share`, `URL.canParse`, and `.at` where it is
 * not known of what. A member that the scripts themselves give to an object, under the same name, is taken for that one.
 */
export function newerScriptFeatures(scripts: readonly string[]): string[] {
  const uses = new Set<string>()
  const ofOurs = new Set<string>()
  for (const script of scripts) noteUses(parseSync('script.js', script).program, uses, ofOurs)
  for (const script of scripts)
    for (const name of exportsOf(parseSync('script.js', script).program)) uses.delete(`${MODULE}.${name}`)
  return [...new Set([...uses].flatMap((use) => nameIfNewer(use, ofOurs) ?? []))].toSorted()
}

/** In the place of what `then` gives: a module that is loaded later, whose names the build has made up. */
const MODULE = '(module)'

/** `.then(e => e.xr)` */
function memberOfModule({ callee, arguments: [then] }: ESTree.CallExpression): ESTree.Node | undefined {
  const isThen = callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'then'
  if (!isThen || then?.type !== 'ArrowFunctionExpression' || then.body.type !== 'MemberExpression') return undefined
  const [param] = then.params
  const { object } = then.body
  const isOfParam = param?.type === 'Identifier' && object.type === 'Identifier' && object.name === param.name
  return isOfParam ? then.body : undefined
}

function exportsOf(program: ESTree.Program): string[] {
  const names: string[] = []
  new Visitor({
    ExportSpecifier: ({ exported }) => void (exported.type === 'Identifier' && names.push(exported.name)),
  }).visit(program)
  return names
}

function noteUses(program: ESTree.Program, uses: Set<string>, ofOurs: Set<string>) {
  const labels = new Set<ESTree.Node>()
  const ofModules = new Set<ESTree.Node | undefined>()
  const noteOurs = ({ key, computed }: { key: ESTree.Node; computed: boolean }) => {
    if (computed || key.type !== 'Identifier') return
    labels.add(key)
    ofOurs.add(key.name)
  }
  new Visitor({
    Identifier: (node) => void (labels.has(node) || uses.add(`.${node.name}`)),
    CallExpression: (node) => void ofModules.add(memberOfModule(node)),
    MemberExpression: (node) => {
      const { object, property, computed } = node
      if (computed) return
      labels.add(property)
      uses.add(`${ofModules.has(node) ? MODULE : (pathOf(object) ?? '?')}.${property.name}`)
    },
    BinaryExpression: ({ operator, left, right }) => {
      if (operator === 'in' && left.type === 'Literal') uses.add(`${pathOf(right) ?? '?'}.${left.value}`)
    },
    Property: noteOurs,
    MethodDefinition: noteOurs,
    PropertyDefinition: noteOurs,
  }).visit(program)
}

/** `navigator.storage`, without `window.` before it; undefined for what is not written as names alone. */
function pathOf(node: ESTree.Node): string | undefined {
  if (node.type === 'ChainExpression') return pathOf(node.expression)
  if (node.type === 'Identifier') return GLOBAL.has(node.name) ? '' : node.name
  if (node.type !== 'MemberExpression' || node.computed) return undefined
  const object = pathOf(node.object)
  return object === '' ? node.property.name : object && `${object}.${node.property.name}`
}

function nameIfNewer(use: string, ofOurs: ReadonlySet<string>): string | undefined {
  const dot = use.lastIndexOf('.')
  const [object, name] = [use.slice(0, dot), use.slice(dot + 1)]
  const known = KNOWN[object]
  if (known) {
    const features = [...known.map((type) => INTERFACES[type]?.[name]), ...(object === '' ? [INTERFACES[name]] : [])]
    return areNewer(features) ? `${object && `${object}.`}${name}` : undefined
  }
  const type = INTERFACES[object]
  if (type) return areNewer([type[`${name}_static`], type[name]]) ? use : undefined
  const isOurs = ofOurs.has(name)
  return !isOurs && areNewer(membersByName.get(name) ?? []) ? `.${name}` : undefined
}
