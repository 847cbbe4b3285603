import { execFile } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse, type Http2Session } from 'node:http2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ApnsKey } from '../pushVariables.ts'
import { listenLocally, recordRequests, type RecordedRequests } from './recordRequests.ts'

/** A server that speaks HTTP/2 over TLS only, as Apple's does. */
export type ApnsReceiver = RecordedRequests & {
  url: string
  /** The certificate to trust. */
  certificate: string
  key: ApnsKey
  publicKey: KeyObject
  close(): Promise<void>
}

/** Starts the server with a certificate of its own. */
export async function startApnsReceiver(): Promise<ApnsReceiver> {
  const recorded = recordRequests({ status: 200 })
  const { certificate, key } = await createCertificate()
  const server = createSecureServer({ cert: certificate, key, allowHTTP1: false })
  const sessions = new Set<Http2Session>()
  server.on('session', (session) => sessions.add(session))
  // The compatibility API has the same methods as HTTP/1, for all that is used here.
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) =>
    recorded.listener(
      request as unknown as IncomingMessage,
      response as unknown as ServerResponse<IncomingMessage> & { req: IncomingMessage },
    ),
  )
  const port = await listenLocally(server)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return {
    ...recorded,
    url: `https://127.0.0.1:${port}`,
    certificate,
    key: { privateKey: pem, keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', bundleId: 'org.example.wallet' },
    publicKey,
    async close() {
      for (const session of sessions) session.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function createCertificate(): Promise<{ certificate: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-apns-'))
  try {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1', '-nodes']
    const options = ['req', '-x509', ...subject, '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate]
    await promisify(execFile)('openssl', options)
    return { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') }
  } finally {
    await rm(folder, { recursive: true })
  }
}
