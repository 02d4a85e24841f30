import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { Environment } from '../server/config.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'deploy/kubernetes')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

interface Manifest {
  kind: string
  metadata: { annotations?: Record<string, string> }
}

const MANIFESTS = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  }),
)

const ofKind = <T>(kind: string) => MANIFESTS.filter((manifest) => manifest.kind === kind) as (Manifest & T)[]

interface Probe {
  httpGet: { path: string }
}

interface Pod {
  terminationGracePeriodSeconds: number
  containers: [
    {
      ports: [{ containerPort: number }]
      lifecycle: { preStop: { exec: { command: string[] } } }
      readinessProbe: Probe
      livenessProbe: Probe
      startupProbe: Probe
    },
  ]
}

const [{ spec: deployment }] = ofKind('Deployment') as unknown as [{ spec: { template: { spec: Pod } } }]
const pod = deployment.template.spec
const [container] = pod.containers

/** Variables that the image sets. */
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
  expect(container.readinessProbe.httpGet.path).toBe(path(ENDPOINTS['system.ready']))
  expect(container.livenessProbe.httpGet.path).toBe(path(ENDPOINTS['system.health']))
  expect(container.startupProbe.httpGet.path).toBe(path(ENDPOINTS['system.health']))
  expect(read('Dockerfile')).toContain(`PORT=${container.ports[0].containerPort}`)
})

it('a pod has as long to stop as every server, beside the time in which nobody has told it', () => {
  const asService = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('deploy/portal.service'))?.[1])
  const before = Number(container.lifecycle.preStop.exec.command.at(-1))
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
