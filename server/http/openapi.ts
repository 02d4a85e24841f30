import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { ERROR_STATUS, Failure, success } from '../../src/contract/envelope.ts'

type Json = Record<string, unknown>

/** Makes the OpenAPI 3.1 document of one base from the table of endpoints, so it matches the server. */
export function openapi(base: Endpoint['base']): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    if (endpoint.base !== base) continue
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `Merchant portal: ${base}`, version: '1' },
    servers: [{ url: `/${base}` }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { Failure: schemaOf(Failure) },
    },
  }
}

/** The empty entry is for a caller that answers a challenge, without a session. */
const SECURITY: Record<Extract<Endpoint['access'], string>, Json[]> = {
  public: [],
  session: [{ session: [] }],
  'expired token': [{ session: [] }],
  challenge: [{ session: [] }, {}],
}

function operation(name: string, endpoint: Endpoint): Json {
  return {
    operationId: name,
    summary: endpoint.summary,
    security: SECURITY[typeof endpoint.access === 'string' ? endpoint.access : 'session'],
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...(endpoint.headers ?? []).map((header) => ({
        name: header,
        in: 'header',
        required: HEADERS[header].required,
        schema: HEADERS[header].schema,
      })),
    ],
    ...(endpoint.body ? { requestBody: { required: true, content: jsonContent(schemaOf(endpoint.body)) } } : {}),
    responses: responsesOf(endpoint),
  }
}

const HEADERS = {
  'login-type': { required: true, schema: { const: 'MERCHANT' } },
}

function responsesOf({ answer, errors = [] }: Endpoint): Json {
  const ok =
    answer === 'file'
      ? { 'text/csv': { schema: { type: 'string' } } }
      : jsonContent(schemaOf(success(answer), 'output'))
  const statuses = [...new Set(errors.map((code) => ERROR_STATUS[code]))]
  const described = statuses.map((status) => {
    const codes = errors.filter((code) => ERROR_STATUS[code] === status)
    return [status, failure(codes.join(', '))]
  })
  return {
    200: { description: 'Done', content: ok },
    ...Object.fromEntries(described),
    default: failure('See `error`'),
  }
}

const failure = (description: string) => ({
  description,
  content: jsonContent({ $ref: '#/components/schemas/Failure' }),
})

const jsonContent = (schema: Json) => ({ 'application/json': { schema } })

function parametersOf(place: 'path' | 'query', schema: v.GenericSchema | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }))
}

/** Checks and transforms have no JSON Schema: the document shows only the shape; a failed call explains the rest. */
function schemaOf(schema: v.GenericSchema, typeMode: 'input' | 'output' = 'input'): Json {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, { errorMode: 'ignore', typeMode })
  return json
}
