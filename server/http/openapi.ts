import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { FILE_SIZE_HEADER, type Endpoint, type FileOf } from '../../src/contract/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints.ts'
import { ERROR_STATUS, Failure, type ErrorCode } from '../../src/contract/envelope.ts'
import { BACKLOG_HEADER } from '../../src/contract/redemptions/sync.ts'
import { onFirstUse } from '../../src/domain/onFirstUse.ts'
import type { Settings } from '../Deps.ts'
import { ENDPOINT_NOTES, NAMED_SCHEMAS } from './contractNotes.ts'
import { bindingCookieName, tillCookieName } from './cookies.ts'

type Json = Record<string, unknown>

/** Makes the OpenAPI 3.1 document of one base from the table of endpoints, so it matches the server. */
export function openapi(base: Endpoint['base'], site: Pick<Settings, 'publicUrl'>): Json {
  const paths: Record<string, Json> = {}
  const tags = new Set<string>()
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS) as [EndpointName, Endpoint][]) {
    if (endpoint.base !== base) continue
    tags.add(tagOf(name))
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  const schemas = { ...namedSchemas(), Failure: failureSchema() }
  return {
    openapi: '3.1.0',
    info: { title: `Merchant portal: ${base}`, version: '1', description: ABOUT },
    servers: [{ url: `/${base}` }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        ...(base === 'api' && {
          binding: cookieScheme(bindingCookieName(site)),
          till: cookieScheme(tillCookieName(site)),
        }),
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: usualFailures(),
      schemas: withinReach(schemas, JSON.stringify(paths)),
    },
  }
}

const ABOUT = `Log in with POST /auth/login, keep its cookies, and send \`access_token\` as a bearer token. Every ten minutes GET /account/refresh gives a new one. Passwords travel encrypted (EncryptedPassword).

Every answer is \`{ data }\`, a file, or a Failure. Compare its \`error\`, not its \`message\`; later releases may add codes and fields. After 429 and 503 wait for the seconds of Retry-After.`

const cookieScheme = (name: string) => ({ type: 'apiKey', in: 'cookie', name })

const tagOf = (name: EndpointName) => name.slice(0, name.indexOf('.'))

function operationOf(name: EndpointName, endpoint: Endpoint): Json {
  return {
    operationId: name,
    tags: [tagOf(name)],
    summary: endpoint.summary,
    description: [whoMayCall(endpoint), ENDPOINT_NOTES[name]].filter(Boolean).join(' '),
    security: securityOf(name, endpoint),
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...headersOf(endpoint).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ],
    ...(endpoint.body
      ? { requestBody: { required: true, content: jsonContent(inputSchemas().get(endpoint.body)!) } }
      : {}),
    responses: responsesOf(name, endpoint),
  }
}

function whoMayCall({ access }: Endpoint): string {
  if (typeof access !== 'string') return `For users with the permission \`${access.feature}.${access.action}\`.`
  return {
    public: 'For everybody.',
    session: 'For every session.',
    'expired token': 'For every session, even with an expired token.',
    challenge: 'For every session, and for holders of a challenge or its setup.',
  }[access]
}

/** Calls that recognise an enrolled device by its cookie. */
const BY_TILLS: readonly EndpointName[] = ['voucher.verify', 'till.enrol', 'till.get', 'till.name', 'till.allowance']

function securityOf(name: EndpointName, { access }: Endpoint): Json[] {
  const session = { session: [] }
  if (access === 'expired token') return [{ ...session, binding: [] }]
  // The empty entry is for a caller that answers a challenge, without a session.
  if (access === 'challenge') return [session, {}]
  const own = access === 'public' ? {} : session
  if (BY_TILLS.includes(name)) return [{ ...own, till: [] }, own]
  return access === 'public' ? [] : [own]
}

const isIdentified = ({ access }: Endpoint) => access !== 'public'

const PARAMETERS = {
  'login-type': { name: 'login-type', in: 'header', required: true, schema: { const: 'MERCHANT' } },
  'idle-seconds': {
    name: 'idle-seconds',
    in: 'header',
    description:
      'The seconds since the last action of the user. A call without it does not keep the session alive. An idle session ends after 15 minutes, at the counter after 4 hours.',
    schema: { type: 'integer', minimum: 0, maximum: 9_999_999 },
  },
  [BACKLOG_HEADER]: {
    name: BACKLOG_HEADER,
    in: 'header',
    description: 'Says that no customer is waiting: a busy server answers other calls first.',
    schema: { type: 'string' },
  },
  'if-none-match': { name: 'if-none-match', in: 'header', schema: { type: 'string' } },
}

const headersOf = (endpoint: Endpoint): (keyof typeof PARAMETERS)[] => [
  ...(endpoint.headers ?? []),
  ...(isIdentified(endpoint) ? (['idle-seconds'] as const) : []),
  ...(endpoint.lane === 'till' ? ([BACKLOG_HEADER] as const) : []),
  ...(endpoint.tagged ? (['if-none-match'] as const) : []),
]

const HEADERS = {
  'retry-after': { description: 'Seconds to wait before sending the call again.', schema: { type: 'integer' } },
  'www-authenticate': { schema: { const: 'Bearer' } },
  'content-disposition': { description: 'The name of the file (RFC 6266).', schema: { type: 'string' } },
  [FILE_SIZE_HEADER]: {
    description: 'The size of the file in bytes, if it is known before the end.',
    schema: { type: 'integer' },
  },
  etag: { schema: { type: 'string' } },
  'set-cookie': {
    description: 'The cookie of the login or of the till, which later calls must send back.',
    schema: { type: 'string' },
  },
}

const SETS_COOKIES: readonly EndpointName[] = [
  'auth.login',
  'auth.setNewPassword',
  'auth.verifyMfa',
  'auth.verifyAndEnableMfa',
  'account.logout',
  'till.enrol',
  'till.name',
]

const headersNamed = (names: (keyof typeof HEADERS)[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

function responsesOf(name: EndpointName, endpoint: Endpoint): Json {
  const { answer, tagged } = endpoint
  const codes = codesOf(endpoint)
  const done = {
    description: 'Done',
    ...headersNamed([
      ...('file' in answer ? (['content-disposition', FILE_SIZE_HEADER] as const) : []),
      ...(tagged ? (['etag'] as const) : []),
      ...(SETS_COOKIES.includes(name) ? (['set-cookie'] as const) : []),
    ]),
    content: 'file' in answer ? fileContent(answer.file) : jsonContent(dataOf(outputSchemas().get(answer)!)),
  }
  // An endpoint that is closed to everybody never answers.
  const isClosed = 'type' in answer && answer.type === 'never'
  return {
    ...(isClosed ? {} : { 200: done }),
    ...(tagged ? { 304: { description: 'Unchanged since this tag' } } : {}),
    ...Object.fromEntries(statusesOf(codes).map((status) => [status, refusalResponse(status, codes, endpoint)])),
    default: { description: 'Any other failure', content: jsonContent(FAILURE) },
  }
}

/** The endpoint's own codes, and those that follow from what it reads. */
function codesOf(endpoint: Endpoint): ErrorCode[] {
  const { access, body, params, errors = [] } = endpoint
  const codes: ErrorCode[] = [
    ...(body ? BODY_CODES : []),
    ...(access === 'expired token' ? TOKEN_CODES : []),
    ...(access === 'session' || access === 'challenge' || typeof access !== 'string' ? SESSION_CODES : []),
    ...(typeof access === 'string' ? [] : PERMISSION_CODES),
    // A guid in a body can be as unknown as one in a path.
    ...(params || (body && isIdentified(endpoint)) ? (['NOT_FOUND'] as const) : []),
    ...ANY_CODES,
    ...errors,
  ]
  return [...new Set(codes)]
}

const BODY_CODES = [
  'MALFORMED_JSON',
  'REQUEST_TIMEOUT',
  'REQUEST_INCOMPLETE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const
const TOKEN_CODES = ['TOKEN_MISSING', 'TOKEN_INVALID'] as const
const SESSION_CODES = [
  ...TOKEN_CODES,
  'TOKEN_EXPIRED',
  'SESSION_EXPIRED',
  'SESSION_ENDED',
  'SESSION_TERMINATED',
] as const
const PERMISSION_CODES = ['ACCOUNT_GATED', 'FORBIDDEN'] as const
const ANY_CODES = ['VALIDATION_FAILED', 'INTERNAL', 'DB_UNAVAILABLE', 'SERVER_BUSY', 'STORE_UNAVAILABLE'] as const

const statusesOf = (codes: readonly ErrorCode[]) => [...new Set(codes.map((code) => ERROR_STATUS[code]))]

const withStatus = (status: number, codes: readonly ErrorCode[]) =>
  codes.filter((code) => ERROR_STATUS[code] === status)

/** Refers to the usual response, unless the endpoint has a code of its own with this status. */
function refusalResponse(status: number, codes: ErrorCode[], { errors = [] }: Endpoint): Json {
  const isUsual = errors.every((code) => ERROR_STATUS[code] !== status)
  if (isUsual) return { $ref: `#/components/responses/Usual${status}` }
  return failureResponse(status, withStatus(status, codes))
}

function usualFailures(): Json {
  const usual = [...BODY_CODES, ...SESSION_CODES, ...PERMISSION_CODES, 'NOT_FOUND', ...ANY_CODES] as const
  return Object.fromEntries(
    statusesOf(usual).map((status) => [`Usual${status}`, failureResponse(status, withStatus(status, usual))]),
  )
}

const FAILURE = { $ref: '#/components/schemas/Failure' }

function failureResponse(status: number, codes: readonly ErrorCode[]): Json {
  const error = { type: 'object', required: ['error'], properties: { error: { type: 'string', enum: codes } } }
  return {
    description: codes.join(', '),
    ...headersNamed([
      ...(status === 401 ? (['www-authenticate'] as const) : []),
      ...(status === 429 || status === 503 ? (['retry-after'] as const) : []),
    ]),
    content: jsonContent({ allOf: [FAILURE, error] }),
  }
}

const failureSchema = (): Json => ({
  description: 'Every answer that is not `{ data }` or a file.',
  ...outputSchemas().get(Failure),
})

const dataOf = (data: Json): Json => ({ type: 'object', properties: { data }, required: ['data'] })

const jsonContent = (schema: Json) => ({ 'application/json': { schema } })

/** Describes a file: text as a string, any other as bytes. */
const fileContent = (types: readonly string[]): Json =>
  Object.fromEntries(
    types.map((type) => [
      type,
      { schema: type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' } },
    ]),
  )

function parametersOf(place: 'path' | 'query', schema: v.GenericSchema | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = inputSchemas().get(schema) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }))
}

const CONVERSION = {
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const

const DEFINITIONS = Object.fromEntries(Object.entries(NAMED_SCHEMAS).map(([name, [schema]]) => [name, schema]))

/**
 * Checks and transforms have no JSON Schema: a named schema describes them in its note, and a failed call explains the rest. All schemas are
 * converted at once, because each conversion begins with the named ones.
 */
function convertSchemas(schemas: v.GenericSchema[], typeMode: 'input' | 'output'): Map<v.GenericSchema, Json> {
  const all = toJsonSchema(v.tuple(schemas), { ...CONVERSION, typeMode, definitions: DEFINITIONS })
  return new Map(schemas.map((schema, index) => [schema, all.prefixItems![index] as Json]))
}

const isSchema = (part: v.GenericSchema | FileOf | undefined): part is v.GenericSchema =>
  part !== undefined && !('file' in part)

const ALL = Object.values<Endpoint>(ENDPOINTS)
const inputSchemas = onFirstUse(() =>
  convertSchemas(ALL.flatMap(({ params, query, body }) => [params, query, body]).filter(isSchema), 'input'),
)
const outputSchemas = onFirstUse(() =>
  convertSchemas([Failure, ...ALL.map(({ answer }) => answer)].filter(isSchema), 'output'),
)

function namedSchemas(): Record<string, Json> {
  const made = toJsonSchemaDefs(DEFINITIONS, { ...CONVERSION, typeMode: 'input' })
  return Object.fromEntries(
    Object.entries(made).map(([name, json]) => [name, { ...json, ...NAMED_SCHEMAS[name]?.[1] }]),
  )
}

/** Keeps the schemas that `text` refers to, and those that they refer to. */
function withinReach(schemas: Record<string, Json>, text: string): Record<string, Json> {
  const kept = new Set<string>()
  const follow = (from: string) => {
    for (const [, name = ''] of from.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (kept.has(name)) continue
      kept.add(name)
      follow(JSON.stringify(schemas[name]))
    }
  }
  follow(text)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name)))
}
