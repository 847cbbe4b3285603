import type { FastifyBaseLogger } from 'fastify'
import { sql, type Kysely } from 'kysely'
import type { ServerConfig } from '../config.ts'
import { openDatabase } from '../kit/database/database.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import { createKeyEncryption } from '../kit/secrets/keyEncryption.ts'
import {
  addMasterKey,
  hasPreparedMasterKey,
  promoteMasterKey,
  readMasterKeys,
  removeOlderMasterKeys,
} from '../kit/secrets/masterKeys.ts'
import { createSecrets } from '../kit/secrets/secrets.ts'
import { openDatabasePlaces } from './databasePlaces.ts'
import type { RotatedKey } from './rotatedKeys.ts'

export type KeysOptions = { print(line: string): void; log: FastifyBaseLogger }

const dataKeyTables = { auth: 'auth_data_key', shares: 'share_data_key' } as const

/**
 * Adds a key that opens secrets and does not seal yet, so that all processes know it before the first secret needs it.
 *
 * @throws Error with a sentence if the keys are not in a file of this machine
 */
export async function prepareKey(config: ServerConfig, key: RotatedKey, { print }: KeysOptions): Promise<void> {
  const id = await addMasterKey(keyFile(config, key), systemClock.now())
  print(
    `The key ${id} was added to ${keyFile(config, key)}. Restart all processes of ${key}, then run keys rotate ${key}.`,
  )
}

/**
 * Seals everything with a new key: with the one that was prepared, or with one that is added now. The older keys stay, because
 * a process that was not restarted may still seal with them.
 *
 * @throws Error with a sentence if the keys are not in a file of this machine, or a secret does not open
 */
export async function rotateKey(config: ServerConfig, key: RotatedKey, options: KeysOptions): Promise<void> {
  const { print } = options
  const file = keyFile(config, key)
  if (!(await hasPreparedMasterKey(file))) await addMasterKey(file, systemClock.now())
  print(`${await promoteMasterKey(file)} is the first key in ${file}.`)
  await resealAll(config, key, options)
  print(`Restart all processes of ${key}. After a day without errors, run keys clean ${key} to remove the older keys.`)
}

/**
 * Seals everything with the first key and removes the others.
 *
 * @throws Error with a sentence as `rotateKey` does; the keys then stay
 */
export async function cleanKeys(config: ServerConfig, key: RotatedKey, options: KeysOptions): Promise<void> {
  const file = keyFile(config, key)
  await resealAll(config, key, options)
  const removed = await removeOlderMasterKeys(file)
  options.print(
    `${removed} older keys were removed from ${file}. Backups from before need them: keep a copy with these.`,
  )
}

async function resealAll(config: ServerConfig, key: RotatedKey, { print, log }: KeysOptions): Promise<void> {
  const file = keyFile(config, key)
  const { places, close } = await openDatabasePlaces(config, log, { exclusive: false })
  try {
    const place = places.find(({ name }) => name === (key === 'api' ? 'server' : key))
    if (place === undefined) throw new Error(`The database of ${key} is not configured.`)
    const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
    try {
      await (key === 'api' ? resealSessionKeys(database.kysely, file) : resealDataKeys(database.kysely, file, key))
      print(`All secrets of ${key} are sealed with it.`)
    } finally {
      await database.close()
    }
  } finally {
    await close()
  }
}

async function resealDataKeys(database: Kysely<unknown>, file: string, key: 'auth' | 'shares'): Promise<void> {
  const keyEncryption = createKeyEncryption(await readMasterKeys(file))
  const secrets = createSecrets({ database, table: dataKeyTables[key], keyEncryption })
  let left = await secrets.rewrapKeys()
  while (left > 0) {
    const before = left
    left = await secrets.rewrapKeys()
    if (left >= before) throw new Error('A process still seals secrets with an older key. Restart all processes first.')
  }
}

type SessionKeyRow = { pci: string; account: string; sealed_key: Buffer }

/** The keys of smart sessions are sealed by the master key itself. */
async function resealSessionKeys(database: Kysely<unknown>, file: string): Promise<void> {
  const keyEncryption = createKeyEncryption(await readMasterKeys(file))
  const { rows } = await sql<SessionKeyRow>`select pci, account, sealed_key from smart_session`.execute(database)
  for (const { pci, account, sealed_key: previous } of rows) {
    const place = { table: 'smart_session', row: pci, owner: account }
    const { secret, isOutdated } = keyEncryption.open(place, previous)
    if (isOutdated) {
      const next = keyEncryption.seal(place, secret)
      await sql`
        update smart_session set sealed_key = ${next} where pci = ${pci} and sealed_key = ${previous}`.execute(database)
    }
    secret.fill(0)
  }
}

/** The file of the keys. Keys of a variable or of a key management service are replaced there. */
function keyFile({ services, login, apiKeysFile }: ServerConfig, key: RotatedKey): string {
  if (!services.includes(key)) throw new Error(`SERVICES must have ${key}, so that its database is known.`)
  if (key === 'api') return apiKeysFile
  const { plugin, text, variable, file } = login[key].keys
  if (plugin !== undefined) throw new Error('The keys are in a key management service: rotate them there.')
  if (text !== undefined) throw new Error(`The keys are in ${variable}: insert a new first key there, and restart.`)
  return file
}
