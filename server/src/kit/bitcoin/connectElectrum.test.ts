import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectElectrum } from './connectElectrum.ts'

type Certificate = { cert: string; key: string }

const limits = { timeoutMs: 10_000, maxBytes: 1_000_000 }
let folder: string
/** Signed by themselves, for this machine and for another one. */
let [own, foreign]: [Certificate, Certificate] = [
  { cert: '', key: '' },
  { cert: '', key: '' },
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-electrum-'))
  own = await createCertificate('own', 'DNS:localhost,IP:127.0.0.1')
  foreign = await createCertificate('foreign', 'DNS:electrum.example')
})
afterAll(() => rm(folder, { recursive: true }))

async function createCertificate(name: string, names: string): Promise<Certificate> {
  const [keyFile, file] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`]
  await promisify(execFile)('openssl', ['req', '-x509', ...newKey, ...subject, '-keyout', keyFile, '-out', file])
  return { cert: await readFile(file, 'utf8'), key: await readFile(keyFile, 'utf8') }
}

/** Starts an Electrum server that knows its version and the header of a block. It records the requests. */
async function startElectrum(create: (serve: (socket: Socket) => void) => Server) {
  const requests: string[] = []
  const server = create((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      for (const line of data.toString().split('\n').filter(Boolean)) {
        requests.push(line)
        const { id, method } = JSON.parse(line) as { id: number; method: string }
        const result = method === 'server.version' ? ['Test 1', '1.4'] : 'header'
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return { port, requests }
}

const startTlsElectrum = (certificate: Certificate) => startElectrum((serve) => createTlsServer(certificate, serve))

test.each(['localhost', '127.0.0.1'])('a server at %s is used over TLS, if its certificate is valid', async (host) => {
  const { port } = await startTlsElectrum(own)
  const connection = await connectElectrum(`ssl://${host}:${port}`, { ...limits, ca: own.cert })
  onTestFinished(() => connection.close())
  expect(await connection.request([['blockchain.block.header', 1]])).toEqual(['header'])
})

test('a server with a certificate of an unknown authority gets no request', async () => {
  const { port, requests } = await startTlsElectrum(own)
  await expect(connectElectrum(`ssl://localhost:${port}`, limits)).rejects.toThrow('self-signed certificate')
  expect(requests).toEqual([])
})

test('a server with the certificate of another name gets no request', async () => {
  const { port, requests } = await startTlsElectrum(foreign)
  const connecting = connectElectrum(`ssl://localhost:${port}`, { ...limits, ca: foreign.cert })
  await expect(connecting).rejects.toThrow("Hostname/IP does not match certificate's altnames")
  expect(requests).toEqual([])
})

test('a server without TLS is not used for a URL with ssl', async () => {
  const { port } = await startElectrum((serve) =>
    createPlainServer((socket) => {
      socket.write('hello\n')
      serve(socket.pause())
    }),
  )
  await expect(connectElectrum(`ssl://localhost:${port}`, { ...limits, ca: own.cert })).rejects.toThrow(
    /SSL|packet|closed/,
  )
})

test('a server with TLS is not used for a URL with tcp', async () => {
  const { port, requests } = await startTlsElectrum(own)
  await expect(connectElectrum(`tcp://localhost:${port}`, limits)).rejects.toThrow('closed the connection')
  expect(requests).toEqual([])
})
