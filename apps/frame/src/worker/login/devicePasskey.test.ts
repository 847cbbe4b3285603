import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import { toBase64url } from '../../services/toBase64url.ts'
import { createDevicePasskey } from './devicePasskey.ts'

const bytes = (value: number) => new Uint8Array(32).fill(value)
const proof = { id: 'AAAA', authenticatorData: bytes(1), clientDataJSON: bytes(2), signature: bytes(3) }
const output = bytes(4)

test('a passkey signs its purpose and this device with the challenge of the share store', async () => {
  const calls: unknown[] = []
  const shares: ServiceRequest = async (...call) => {
    calls.push(call)
    return { challenge: toBase64url(bytes(5)), input: toBase64url(bytes(6)) }
  }
  const passkey = createDevicePasskey({ shares, thumbprint: toBase64url(bytes(7)) })
  expect(await passkey.createRequest()).toEqual({
    input: bytes(6),
    challenge: concatBytes(utf8ToBytes('latchkey/device-passkey/1'), bytes(7), bytes(5)),
  })
  expect(calls).toEqual([['POST', '/shares/v1/devices/passkey/challenge', {}]])
})

test('a passkey approves the device and opens the wallet once the share store accepts it', async () => {
  const calls: unknown[] = []
  let isRefused = true
  const shares: ServiceRequest = async (...call) => {
    calls.push(call)
    if (isRefused) throw new ServiceRefusal(401, 'passkey', 'No.')
    return {}
  }
  const passkey = createDevicePasskey({ shares, thumbprint: 'AA' })
  let isUsed = false
  passkey.used.then(() => (isUsed = true)).catch(() => undefined)
  await expect(passkey.prove({ proof, output })).rejects.toMatchObject({ field: 'passkey' })
  await Promise.resolve()
  expect([isUsed, passkey.credential()]).toEqual([false, undefined])
  isRefused = false
  await passkey.prove({ proof, output })
  await passkey.used
  expect(passkey.credential()).toEqual({ method: 'passkey', id: 'AAAA', output })
  const sent = {
    id: 'AAAA',
    authenticatorData: toBase64url(bytes(1)),
    clientDataJSON: toBase64url(bytes(2)),
    signature: toBase64url(bytes(3)),
  }
  expect(calls).toEqual([
    ['POST', '/shares/v1/devices/passkey', sent],
    ['POST', '/shares/v1/devices/passkey', sent],
  ])
})
