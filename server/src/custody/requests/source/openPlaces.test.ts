import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeMmdb } from '../../../testing/encodeMmdb.ts'
import { openPlaces } from './openPlaces.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-places-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const berlin = { country: { iso_code: 'DE' }, city: { names: { en: 'Berlin', de: 'Berlin' } } }
const networks = {
  '00001000': berlin,
  '00001001': { country: { iso_code: 'FR' } },
  '01010001': { registered_country: { iso_code: 'JP' } },
  '01010000': { continent: { code: 'EU' } },
}

describe('a file of places', () => {
  test.each([
    ['8.8.8.8', 'DE/Berlin'],
    ['8.8.8.0/24', 'DE/Berlin'],
    ['9.9.9.9', 'FR'],
    ['81.2.69.142', 'JP'],
    ['80.1.1.1', ''],
    ['1.1.1.1', ''],
    ['2001:4860:4860::8888', ''],
    ['10.0.0.1', 'local'],
    ['not an address', ''],
  ])('with IPv4 networks gives %s the place %j [C-03]', async (address, place) => {
    const file = await fileOf('v4.mmdb', encodeMmdb({ databaseType: 'Test-City', ipVersion: 4, networks }))
    expect((await openPlaces(file)).find(address)).toBe(place)
  })

  test('with IPv6 networks knows both kinds of addresses', async () => {
    const [v6, v4] = ['0010000000000001', `${'0'.repeat(96)}00001000`]
    const database = { [v6]: { country: { iso_code: 'CH' } }, [v4]: berlin }
    const file = await fileOf('v6.mmdb', encodeMmdb({ databaseType: 'Test-City', ipVersion: 6, networks: database }))
    const { find } = await openPlaces(file)
    expect([find('2001:4860:4860::/48'), find('8.8.8.8'), find('2a00::1')]).toEqual(['CH', 'DE/Berlin', ''])
  })

  test('that is missing, damaged or of another kind stops the start with a sentence that names the variable', async () => {
    const asn = encodeMmdb({ databaseType: 'Test-ASN', ipVersion: 4, networks })
    const missing = join(folder, 'missing.mmdb')
    const unreadable = /^GEOIP_FILE: .* can’t be read as a database of places/
    await expect(openPlaces(missing)).rejects.toThrow(unreadable)
    await expect(openPlaces(await fileOf('text.mmdb', 'no database'))).rejects.toThrow(unreadable)
    await expect(openPlaces(await fileOf('empty.mmdb', ''))).rejects.toThrow(unreadable)
    await expect(openPlaces(await fileOf('asn.mmdb', asn))).rejects.toThrow('contains neither countries nor cities')
  })

  test('that is not configured leaves every public address unknown', async () => {
    expect((await openPlaces(undefined)).find('8.8.8.8')).toBe('')
  })
})
