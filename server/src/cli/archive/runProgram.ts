import { spawn } from 'node:child_process'

/** A PostgreSQL server, as its programs connect to it. The password is not in their arguments, which all users can read. */
export type ServerEnvironment = Readonly<Record<string, string>>

/** Converts the URL of a database to the variables that PostgreSQL's programs read. */
export function toServerEnvironment(databaseUrl: string): ServerEnvironment {
  const url = new URL(databaseUrl)
  const sslMode = url.searchParams.get('sslmode')
  return {
    PGHOST: decodeURIComponent(url.hostname),
    PGPORT: url.port === '' ? '5432' : url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  }
}

/**
 * Runs one of PostgreSQL's programs until it ends, or until `signal` stops it.
 *
 * @throws Error with the end of its output if it is missing or fails
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { environment = {}, signal }: { environment?: ServerEnvironment; signal?: AbortSignal } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    const stop = (): void => void child.kill('SIGTERM')
    signal?.addEventListener('abort', stop, { once: true })
    child.stderr.on('data', (text) => (output = `${output}${text}`.slice(-2_000)))
    child.once('error', (cause) => {
      reject(new Error(`${program} can't be run: install the programs of PostgreSQL's clients.`, { cause }))
    })
    child.once('close', (code) => {
      signal?.removeEventListener('abort', stop)
      if (code === 0 || signal?.aborted === true) resolve()
      else reject(new Error(`${program} failed: ${output.trim()}`))
    })
  })
}
