// Finds or installs the system's programs of the scaled-out layout.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireNats, requireRedis } from '../lib/brokers.mjs'
import { findTool, installTool } from '../lib/tools.mjs'

const debianPostgres = '/usr/lib/postgresql/15/bin'

/**
 * Finds all programs, or installs the system's packages if permitted. Sets the variables that `getGrownPrograms` of the local
 * world reads.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @throws {Error} with a sentence that explains how to install a missing one.
 */
export function requireGrownPrograms(environment = process.env) {
  environment['NATS_SERVER_PATH'] = requireNats()
  environment['REDIS_SERVER_PATH'] = requireRedis()
  environment['HAPROXY_PATH'] = requireProgram('haproxy', 'HAPROXY_PATH', environment)
  requireProgram('openssl', 'OPENSSL_PATH', environment)
  environment['POSTGRES_BIN'] = requirePostgres(environment)
}

/**
 * @param {string} name of the program and of its package
 * @param {string} variable
 * @param {NodeJS.ProcessEnv} environment
 */
function requireProgram(name, variable, environment) {
  const find = () => findTool(variable, [name], { ...environment, PATH: `${environment['PATH'] ?? ''}:/usr/sbin` })
  const found = find() ?? (installTool(name) ? find() : undefined)
  if (found !== undefined) return found
  throw new Error(
    `The scaled-out layout needs ${name}. Install it (on Debian: apt-get install ${name}), or set ${variable} to its program file.`,
  )
}

/** @param {NodeJS.ProcessEnv} environment */
function requirePostgres(environment) {
  const folder = environment['POSTGRES_BIN'] ?? debianPostgres
  const isPresent = () => ['postgres', 'pg_basebackup', 'psql'].every((name) => existsSync(join(folder, name)))
  if (isPresent() || (installTool('postgresql-15') && isPresent())) return folder
  throw new Error(
    'The scaled-out layout needs PostgreSQL with pg_basebackup. Install it (on Debian: apt-get install postgresql-15), or set POSTGRES_BIN to the folder of its programs.',
  )
}
