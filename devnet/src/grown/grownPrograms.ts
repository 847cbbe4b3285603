/** The programs of the scaled-out layout. */
export type GrownPrograms = {
  nats: string
  redis: string
  haproxy: string
  /** The folder of PostgreSQL's programs. */
  postgres: string
}

/** Debian's folder of PostgreSQL 15. */
const debianPostgres = '/usr/lib/postgresql/15/bin'

/** Gets the programs from environment variables, or where Debian installs them. */
export function getGrownPrograms(environment: Readonly<Record<string, string | undefined>>): GrownPrograms {
  return {
    nats: environment['NATS_SERVER_PATH'] ?? 'nats-server',
    redis: environment['REDIS_SERVER_PATH'] ?? 'redis-server',
    haproxy: environment['HAPROXY_PATH'] ?? 'haproxy',
    postgres: environment['POSTGRES_BIN'] ?? debianPostgres,
  }
}
