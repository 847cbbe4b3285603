import type { AccessTables } from './tables/accessTables.ts'
import type { ApiTables } from './tables/apiTables.ts'
import type { AuthTables } from './tables/authTables.ts'
import type { IndexerTables } from './tables/indexerTables.ts'
import type { NamesTables } from './tables/namesTables.ts'
import type { OnrampTables } from './tables/onrampTables.ts'
import type { RelayTables } from './tables/relayTables.ts'
import type { SharesTables } from './tables/sharesTables.ts'

/** The tables of all services, whichever database they are in. */
export type DatabaseTables = AccessTables &
  ApiTables &
  AuthTables &
  IndexerTables &
  NamesTables &
  OnrampTables &
  RelayTables &
  SharesTables
