// The ClickHouse engine (chdb) behind the part of ClickHouse's HTTP interface that @clickhouse/client uses. For tests only: it
// listens on the loopback address, and accepts one user.
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Session } from 'chdb'

const [folder, user = 'default', password = '', port = '0'] = process.argv.slice(2)
/** A session has its own settings and parameters, and runs one statement at a time. */
const sessions = Array.from({ length: 4 }, () => new Session(folder))
const idle = [...sessions]
const waiting = []
/** Parameters of the interface that are not settings of a statement. */
const reserved = new Set(['query', 'database', 'query_id', 'session_id', 'default_format', 'role'])
/** Settings of the HTTP server, which the embedded engine does not have. */
const httpSettings = new Set(['wait_end_of_query', 'enable_http_compression', 'send_progress_in_http_headers'])
const statuses = { 60: 404, 62: 400, 81: 404, 159: 408, 241: 500, 516: 403 }

const server = createServer((request, response) => {
  void handleRequest(request).then(
    ({ status, headers, body }) => response.writeHead(status, headers).end(body),
    (error) => response.writeHead(500).end(String(error)),
  )
})

async function handleRequest(request) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/ping') return { status: 200, headers: {}, body: 'Ok.\n' }
  const body = await readStatement(request)
  if (!isAllowed(request)) return toFailure('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
  try {
    const result = await runStatement(searchParams, body)
    const headers = { 'content-type': 'text/plain; charset=UTF-8' }
    return { status: 200, headers, body: Buffer.from(result.bytes()) }
  } catch (error) {
    return toFailure(error instanceof Error ? error.message : String(error))
  }
}

/** Runs a statement: from the query string with the body as its data, or from the body. */
async function runStatement(searchParams, body) {
  const statement = searchParams.has('query') ? `${searchParams.get('query')}\n${body}` : body
  const prefix = []
  const database = searchParams.get('database')
  if (database !== null) prefix.push(`USE ${quoteName(database)}`)
  for (const [name, value] of searchParams) {
    if (!reserved.has(name) && !httpSettings.has(name)) prefix.push(`SET ${quoteName(name)} = ${quoteText(value)}`)
  }
  const text = [...prefix, statement].join('; ')
  const options = { format: searchParams.get('default_format') ?? 'TabSeparated' }
  return withSession((session) => session.queryAsync(text, options))
}

async function withSession(run) {
  const session = idle.pop() ?? (await new Promise((resolve) => waiting.push(resolve)))
  try {
    return await run(session)
  } finally {
    const next = waiting.shift()
    if (next === undefined) idle.push(session)
    else next(session)
  }
}

async function readStatement(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
}

function isAllowed({ headers }) {
  return headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function toFailure(message) {
  const [, code] = /Code: (\d+)/.exec(message) ?? []
  const headers = { 'x-clickhouse-exception-code': code ?? '0' }
  return { status: statuses[code] ?? 500, headers, body: message }
}

function quoteName(name) {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error(`Code: 36. DB::Exception: ${name} is not a name. (BAD_ARGUMENTS)`)
  return name
}

function quoteText(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

server.listen(Number(port), '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit(0))
