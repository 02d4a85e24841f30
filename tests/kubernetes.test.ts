import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { Environment } from '../server/config.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'deploy/kubernetes')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Of every kind that is used: where its types are, and what validates it. */
const MODELS = {
  Deployment: ['apps/v1', Deployment],
  PodDisruptionBudget: ['policy/v1', PodDisruptionBudget],
  Ingress: ['networking.k8s.io/v1', Ingress],
  Service: ['v1', Service],
  ConfigMap: ['v1', ConfigMap],
  Secret: ['v1', Secret],
} as const

interface Manifest {
  apiVersion: string
  kind: keyof typeof MODELS
  metadata: { name: string; annotations?: Record<string, string> }
}

const MANIFESTS = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  }),
)

const ofKind = <T>(kind: Manifest['kind']) => MANIFESTS.filter((manifest) => manifest.kind === kind) as (Manifest & T)[]

const [{ spec: deployment }] = ofKind('Deployment') as unknown as [
  { spec: NonNullable<ConstructorParameters<typeof Deployment>[0]>['spec'] & object },
]
const pod = deployment.template.spec!
const [container] = pod.containers as [(typeof pod.containers)[number]]

it.each(MANIFESTS.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
  'Kubernetes takes the %s %s',
  (kind, _, manifest) => {
    const [version, Model] = MODELS[kind]
    expect(manifest.apiVersion).toBe(version)
    expect(() => new Model(manifest as never).validate()).not.toThrow()
  },
)

/**
 * What the compiler says of manifests whose types are those of Kubernetes. Its schema lets a name pass that it does not know, so that a
 * misspelt probe would be none.
 */
function misspelt(manifests: readonly Manifest[]): string {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.manifests-'))
  const file = join(folder, 'manifests.ts')
  const imports = Object.entries(MODELS).map(
    ([kind, [version]]) => `import type { I${kind} } from 'kubernetes-models/${version}/${kind}'`,
  )
  const values = manifests.map((manifest) => `void (${JSON.stringify(manifest)} satisfies I${manifest.kind})`)
  const how = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext']
  try {
    writeFileSync(file, [...imports, ...values].join('\n'))
    return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...how, file], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('no manifest has a field that Kubernetes does not know', () => {
  expect(misspelt(MANIFESTS)).toBe('')
})

/** The image sets them. */
const OF_THE_IMAGE = ['PORT', 'HOST', 'DATA_DIR']

it('the settings have every variable of the server once, and no other', () => {
  const names = [
    ...ofKind<{ data: object }>('ConfigMap').flatMap(({ data }) => Object.keys(data)),
    ...ofKind<{ stringData: object }>('Secret').flatMap(({ stringData }) => Object.keys(stringData)),
  ]
  const wanted = Object.keys(Environment.entries).filter((name) => !OF_THE_IMAGE.includes(name))
  expect(names.toSorted()).toEqual(wanted.toSorted())
})

it('no secret is in the settings that everybody may read, and none is filled in', () => {
  const [config] = ofKind<{ data: Record<string, string> }>('ConfigMap')
  expect(Object.keys(config!.data).filter((name) => /SECRET|PASSWORD|TOKEN|_URL$|ACCESS_KEY/.test(name))).toEqual([
    'PUBLIC_URL',
    'RECAPTCHA_URL',
  ])
  const [secret] = ofKind<{ stringData: Record<string, string> }>('Secret')
  expect(new Set(Object.values(secret!.stringData))).toEqual(new Set(['']))
})

it('the probes ask what the server answers', () => {
  const path = ({ base, path }: { base: string; path: string }) => `/${base}${path}`
  expect(container.readinessProbe?.httpGet?.path).toBe(path(ENDPOINTS['system.ready']))
  expect(container.livenessProbe?.httpGet?.path).toBe(path(ENDPOINTS['system.health']))
  expect(container.startupProbe?.httpGet?.path).toBe(path(ENDPOINTS['system.health']))
  expect(read('Dockerfile')).toContain(`PORT=${container.ports?.[0]?.containerPort}`)
})

it('a pod has as long to stop as every server, beside the time in which nobody has told it', () => {
  const asService = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('deploy/portal.service'))?.[1])
  const before = Number(container.lifecycle?.preStop?.exec?.command?.at(-1))
  expect(before).toBeGreaterThan(0)
  expect(pod.terminationGracePeriodSeconds).toBe(before + asService)
})

it('the ingress has the sizes, times and limits of deploy/nginx.conf', () => {
  const nginx = read('deploy/nginx.conf')
  const annotations = Object.fromEntries(
    ofKind('Ingress').flatMap(({ metadata }) => Object.entries(metadata.annotations!)),
  )
  const directive = (name: string) => new RegExp(String.raw`^\s*${name} ([^;]+);`, 'm').exec(nginx)?.[1]
  for (const name of [
    'client_max_body_size',
    'proxy_connect_timeout',
    'proxy_send_timeout',
    'proxy_read_timeout',
    'proxy_max_temp_file_size',
    'proxy_next_upstream_tries',
    'proxy_next_upstream_timeout',
    'keepalive',
  ]) {
    expect.soft(annotations[`nginx.org/${name.replaceAll('_', '-')}`], name).toBe(directive(name))
  }
  expect(nginx).toContain(`rate=${annotations['nginx.org/limit-req-rate']};`)
  expect(nginx).toContain(`burst=${annotations['nginx.org/limit-req-burst']} nodelay`)
  expect(nginx).toContain(`limit_req_status ${annotations['nginx.org/limit-req-reject-code']};`)
})
