import type { Migrations } from '../kit/database/migrations.ts'
import { accessMigrations } from './accessMigrations.ts'
import { apiMigrations } from './apiMigrations.ts'
import { authMigrations } from './authMigrations.ts'
import { indexerMigrations } from './indexerMigrations.ts'
import { nameMigrations } from './nameMigrations.ts'
import { onrampMigrations } from './onrampMigrations.ts'
import { relayMigrations } from './relayMigrations.ts'
import { shareMigrations } from './shareMigrations.ts'

/** The migrations of every service, by the name under which `migrate` records them. */
export const schemas = {
  access: accessMigrations,
  relay: relayMigrations,
  api: apiMigrations,
  indexer: indexerMigrations,
  names: nameMigrations,
  onramp: onrampMigrations,
  auth: authMigrations,
  shares: shareMigrations,
} as const satisfies Readonly<Record<string, Migrations>>
