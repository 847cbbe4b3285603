import type { Selectable } from 'kysely'
import type { DatabaseTables } from './databaseTables.ts'

/**
 * A row of a table as a query returns it. The files in `tables` are generated from the migrations.
 *
 * @example sql<Pick<TableRow<'auth_code'>, 'id' | 'tries'>>`select id, tries from auth_code`
 */
export type TableRow<table extends keyof DatabaseTables> = Selectable<DatabaseTables[table]>
