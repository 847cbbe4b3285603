import swagger from '@fastify/swagger'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifySchema } from 'fastify'
import type { Endpoint } from './defineEndpoint.ts'
import { escapeHtml } from './escapeHtml.ts'

/** The part of an OpenAPI 3.1 document that tests and the page for people read. */
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description?: string }
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

const info = {
  title: 'Latchkey server',
  version: '1',
  description: 'Blockchain data and the wallet list. All calls take projectId, st, sv and clientId.',
}
const failureStatuses = [400, 401, 403, 429, 503]
const failure = {
  description: 'The reasons, each with the name of the wrong field.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['status', 'reasons'],
        properties: {
          status: { enum: ['FAILED'] },
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

/**
 * Serves the OpenAPI document of endpoints at `/openapi.json`, and a page for people at `/docs` that needs no scripts.
 * Call it before you mount the endpoints, because `@fastify/swagger` collects routes while they are added.
 */
export async function serveApiDocs(app: FastifyInstance, endpoints: readonly Endpoint[]): Promise<void> {
  const byRoute = new Map(endpoints.map((each) => [`${each.method} ${each.path}`, each]))
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info },
    transform: ({ schema, url, route }) => {
      const endpoint = byRoute.get(`${String(route.method)} ${url}`)
      return { url, schema: endpoint === undefined ? { hide: true } : documentSchema(schema, endpoint) }
    },
  })
  const page = renderPage(endpoints)
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(app.swagger()),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
      .send(page),
  )
}

/**
 * Adds to the schema of a route what only the document needs. Responses are not part of the route's own schema, because
 * Fastify would then drop members that the schema does not name.
 */
function documentSchema(schema: FastifySchema | undefined, endpoint: Endpoint): FastifySchema {
  const { group, summary, response, contentTypes, example, isPublic } = endpoint
  const content = Object.fromEntries(contentTypes.map((type) => [type, { schema: response }]))
  const success = { description: 'The response.', content }
  const documented = {
    ...schema,
    tags: [group],
    summary,
    'x-example': example,
    'x-open': isPublic,
    response: { 200: success, ...Object.fromEntries(failureStatuses.map((status) => [status, failure])) },
  }
  return documented
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  code, pre { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
  pre { overflow: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px }
  table { border-collapse: collapse } td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: start; vertical-align: top }
`

function renderPage(endpoints: readonly Endpoint[]): string {
  const groups = [...new Set(endpoints.map(({ group }) => group))]
  const body = groups.map((group) => {
    const own = endpoints.filter((each) => each.group === group)
    return `<h2>${escapeHtml(group)}</h2>${own.map(renderSection).join('')}`
  })
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Latchkey server</title><link rel="icon" href="data:,"><style>${style}</style><h1>Latchkey server</h1>` +
    `<p>The OpenAPI document is <a href="/openapi.json">openapi.json</a>.</p>${body.join('')}`
  )
}

function renderSection({ method, path, summary, query, body, response }: Endpoint): string {
  const properties: Readonly<Record<string, TSchema>> = query?.['properties'] ?? {}
  const requiredNames: readonly string[] = query?.['required'] ?? []
  const rows = Object.entries(properties).map(([name, schema]) => {
    const required = requiredNames.includes(name)
    return `<tr><td><code>${escapeHtml(name)}</code><td>${escapeHtml(String(schema['type'] ?? ''))}<td>${required ? 'required' : ''}`
  })
  return (
    `<h3><code>${method} ${escapeHtml(path)}</code></h3><p>${escapeHtml(summary)}</p><table>${rows.join('')}</table>` +
    (body === undefined
      ? ''
      : `<details><summary>Body</summary><pre>${escapeHtml(JSON.stringify(body, null, 2))}</pre></details>`) +
    `<details><summary>Response</summary><pre>${escapeHtml(JSON.stringify(response, null, 2))}</pre></details>`
  )
}
