import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ChildEvents } from '../processes/startChild.ts'
import { loopback, readyText, startGrownProcess, type GrownProcess } from './grownProcess.ts'

/** The load balancer of the layout. */
export type Haproxy = GrownProcess & {
  /** The certificate that it made at its start, for clients to trust. */
  readonly certificate: string
  /** Starts a new worker with the current configuration. The old one serves its connections until they end. */
  reload(): void
}

export type HaproxyOptions = ChildEvents & {
  program: string
  /** The configuration for a real deployment, whose addresses and files are replaced. */
  example: string
  folder: string
  port: number
  /** The processes behind it, by their names in the configuration. */
  servers: ReadonlyMap<string, { host: string; port: number }>
  /** New connections of one address in ten seconds. */
  connectionsPerAddress: number
}

const run = promisify(execFile)

/** Creates a certificate, and starts HAProxy with TLS on 127.0.0.1. */
export async function startHaproxy(options: HaproxyOptions): Promise<Haproxy> {
  const { program, folder, port, onProcess, onExit, signal } = options
  const certificate = await createCertificate(folder)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, placeConfiguration(await readFile(options.example, 'utf8'), options))
  const proxy = await startGrownProcess({
    name: 'HAProxy',
    place: loopback,
    port,
    command: program,
    args: ['-W', '-f', file],
    isReady: readyText('Loading success'),
    ...(onProcess && { onProcess }),
    ...(onExit && { onExit }),
    ...(signal && { signal }),
  })
  // Spreading would read the process id once.
  return Object.assign(Object.create(proxy), { certificate, reload: () => void process.kill(proxy.pid, 'SIGUSR2') })
}

/** Replaces the addresses and files of the example. */
function placeConfiguration(
  example: string,
  {
    folder,
    port,
    servers,
    connectionsPerAddress,
  }: Pick<HaproxyOptions, 'folder' | 'port' | 'servers' | 'connectionsPerAddress'>,
): string {
  return example
    .replaceAll('/etc/ssl/latchkey', folder)
    .replace('bind :443 ssl', `bind 127.0.0.1:${port} ssl`)
    .replace(/ *bind :80\n/, '')
    .replace('maxconn 60000', 'maxconn 4000')
    .replace('hard-stop-after 1h', 'hard-stop-after 20s')
    .replace('sc0_conn_rate gt 100', `sc0_conn_rate gt ${connectionsPerAddress}`)
    .replaceAll(/ server (\S+) (\S+)/g, (_line, name: string, address: string) => {
      const { host, port: to } = servers.get(name) ?? {}
      return ` server ${name} ${host === undefined ? address : `${host}:${to}`}`
    })
}

async function createCertificate(folder: string): Promise<string> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-days', '30']
  const newKey = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  await run('openssl', ['req', '-x509', ...newKey, ...subject, '-keyout', key, '-out', certificate])
  const both = (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8'))
  await writeFile(join(folder, 'haproxy.pem'), both, { mode: 0o600 })
  return certificate
}
