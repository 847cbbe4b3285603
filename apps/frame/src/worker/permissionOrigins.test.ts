import { describe, expect, test } from 'vitest'
import type { PermissionId } from './keyHolder.ts'
import { createPermissionOrigins } from './permissionOrigins.ts'

const createTestOrigins = (byte: number) =>
  createPermissionOrigins({ entropy: async () => new Uint8Array(16).fill(byte) })
const permission: PermissionId = { chainId: 'eip155:1', hash: new Uint8Array(32).fill(1) }
const origin = 'https://app.example.org'

describe('the sealed origin of a permission', () => {
  test('opens on each device of the wallet', async () => {
    const sealed = await createTestOrigins(1).sealPermissionOrigin(permission, origin)
    expect(await createTestOrigins(1).openPermissionOrigins([{ ...permission, sealed }])).toEqual([origin])
  })

  test('opens for no other permission, network or wallet, and not with changed bytes', async () => {
    const sealed = await createTestOrigins(1).sealPermissionOrigin(permission, origin)
    const changed = sealed.map((byte, index) => (index === sealed.length - 1 ? byte ^ 1 : byte))
    const entries = [
      { ...permission, hash: new Uint8Array(32).fill(2), sealed },
      { ...permission, chainId: 'eip155:10', sealed },
      { ...permission, sealed: changed },
      { ...permission, sealed: new Uint8Array(0) },
      { ...permission, sealed: new TextEncoder().encode(origin) },
      { ...permission, sealed },
    ]
    expect(await createTestOrigins(1).openPermissionOrigins(entries)).toEqual([...Array(5).fill(undefined), origin])
    expect(await createTestOrigins(2).openPermissionOrigins([{ ...permission, sealed }])).toEqual([undefined])
  })

  test('overwrites the entropy after use', async () => {
    const entropy = new Uint8Array(16).fill(1)
    await createPermissionOrigins({ entropy: async () => entropy }).sealPermissionOrigin(permission, origin)
    expect(entropy).toEqual(new Uint8Array(16))
  })
})
