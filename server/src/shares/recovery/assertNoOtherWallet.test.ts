import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../kit/database/migrations.ts'
import { openDatabase } from '../../kit/database/database.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { selectOtherOwners } from './assertNoOtherWallet.ts'

test('the other users of a contact are found by indexes among 200,000 contacts', { tags: 'abuse' }, async () => {
  const place = await createTestDatabase()
  onTestFinished(() => place.close())
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  onTestFinished(() => database.close())
  await migrate(database.kysely, shareMigrations, 'shares')
  await sql`
    insert into share_contact (user_id, mailbox, next, asked_at)
    select 'user ' || number, sha256(number::text::bytea),
      case when number % 10 = 0 then sha256(('next ' || number)::bytea) end, case when number % 10 = 0 then 1 end
    from generate_series(1, 200000) as number`.execute(database.kysely)
  await sql`analyze share_contact`.execute(database.kysely)
  const plan = await sql<Record<'QUERY PLAN', string>>`
    explain ${selectOtherOwners('user 7', Date.UTC(2026, 10, 28))}`.execute(database.kysely)
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toContain('share_contact_by_mailbox')
  expect(text).toContain('share_contact_by_next')
  expect(text).not.toContain('Seq Scan on share_contact')
})
