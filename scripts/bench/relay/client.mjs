// A relay client for benches. It does as little work as possible, so that it doesn't distort the figures.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { WebSocket } from 'ws'

const projectId = 'ab'.repeat(16)

/**
 * Connects a new client.
 *
 * @param {string} url
 * @param {(socket: WebSocket, text: string) => void} onText
 * @returns {Promise<WebSocket>}
 */
export function connectClient(url, onText) {
  const socket = new WebSocket(`${url}?${createQuery(url)}`, { perMessageDeflate: false })
  socket.on('message', (data) => onText(socket, String(data)))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.on('error', reject)
    socket.once('close', (code) => reject(new Error(`The relay ended the connection with ${code}.`)))
  })
}

/**
 * Subscribes to topics.
 *
 * @param {WebSocket} socket
 * @param {readonly string[]} topics
 */
export function subscribe(socket, topics) {
  socket.send(JSON.stringify({ id: 1_000_000_000, jsonrpc: '2.0', method: 'irn_batchSubscribe', params: { topics } }))
  return new Promise((resolve) => socket.once('message', resolve))
}

/** Creates the query of a new client's URL. @param {string} url */
export function createQuery(url) {
  return `auth=${createToken(url)}&projectId=${projectId}`
}

/** @param {string} audience */
function createToken(audience) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const did = `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...Buffer.from(x, 'base64url')))}`
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: did, sub: randomBytes(32).toString('hex'), aud: audience, iat: now, exp: now + 86_400 }
  const signed = [{ alg: 'EdDSA', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}
