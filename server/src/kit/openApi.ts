import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from './endpoint.ts'

/** A document of OpenAPI 3.1, as far as it is used here. */
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const failure = {
  description: 'What is wrong, and with which field.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['status', 'reasons'],
        properties: {
          status: { const: 'FAILED' },
          reasons: {
            type: 'array',
            items: {
              type: 'object',
              required: ['field', 'description'],
              properties: { field: { type: 'string' }, description: { type: 'string' } },
            },
          },
        },
      },
    },
  },
}

/** Describes endpoints by the very schemas that they validate with. */
function describeEndpoints(endpoints: readonly Endpoint[]): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {}
  for (const each of endpoints) {
    const path = each.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: describe(each) }
  }
  const description = 'Blockchain data and the wallet list. All calls take projectId, st, sv and clientId.'
  return { openapi: '3.1.0', info: { title: 'Latchkey server', version: '1', description }, paths }
}

function describe({ group, summary, params, query, body, answer, example, open }: Endpoint): object {
  const parameters = [...parametersOf('path', params), ...parametersOf('query', query)]
  return {
    tags: [group],
    summary,
    parameters,
    'x-example': example,
    'x-open': open,
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: { description: 'The answer.', content: { 'application/json': { schema: answer } } },
      ...Object.fromEntries([400, 401, 403, 429, 503].map((status) => [status, failure])),
    },
  }
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): readonly object[] {
  const properties: Readonly<Record<string, TSchema>> = schema?.['properties'] ?? {}
  const required: readonly string[] = schema?.['required'] ?? []
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }))
}

/** Serves the document at `/openapi.json`, and for people at `/docs`: a page without scripts. */
export function serveDocs(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const document = describeEndpoints(endpoints)
  const page = pageOf(endpoints)
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(document),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page),
  )
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  code, pre { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
  pre { overflow: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px }
  table { border-collapse: collapse } td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: start; vertical-align: top }
`

function pageOf(endpoints: readonly Endpoint[]): string {
  const groups = [...new Set(endpoints.map(({ group }) => group))]
  const body = groups.map((group) => {
    const own = endpoints.filter((each) => each.group === group)
    return `<h2>${escape(group)}</h2>${own.map(sectionOf).join('')}`
  })
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Latchkey server</title><style>${style}</style><h1>Latchkey server</h1>` +
    `<p>Machines read <a href="/openapi.json">openapi.json</a>.</p>${body.join('')}`
  )
}

function sectionOf({ method, path, summary, query, body, answer }: Endpoint): string {
  const rows = parametersOf('query', query).map((each) => {
    const { name, required, schema } = each as { name: string; required: boolean; schema: TSchema }
    return `<tr><td><code>${escape(name)}</code><td>${escape(String(schema['type'] ?? ''))}<td>${required ? 'required' : ''}`
  })
  return (
    `<h3><code>${method} ${escape(path)}</code></h3><p>${escape(summary)}</p><table>${rows.join('')}</table>` +
    (body === undefined
      ? ''
      : `<details><summary>Body</summary><pre>${escape(JSON.stringify(body, null, 2))}</pre></details>`) +
    `<details><summary>Answer</summary><pre>${escape(JSON.stringify(answer, null, 2))}</pre></details>`
  )
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
