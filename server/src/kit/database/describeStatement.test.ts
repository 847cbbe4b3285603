import { expect, test } from 'vitest'
import { describeStatement } from './describeStatement.ts'

test.each([
  ['select 1', 'select'],
  ['begin', 'begin'],
  ["select * from auth_user where email = 'canary@example.org'", 'select auth_user'],
  ['select "id" from "name_record" where "name" = $1', 'select name_record'],
  ['insert into relay_push_key (secret) values ($1)', 'insert relay_push_key'],
  ['UPDATE auth_session SET ended_at = $1', 'update auth_session'],
  ['with due as (select id from a_queue for update) update a_queue set x = 1 from due', 'update a_queue'],
  [
    'with held as materialized (select pg_lock(1)) select 1 from held join relay_message on true',
    'select relay_message',
  ],
  [
    'select * from unnest($1::text[]) as added (client) join relay_push_client using (client)',
    'select relay_push_client',
  ],
  ["select 'canary' as secret", 'select'],
  ['listen latchkey', 'statement'],
])('%s is described as %s', (text, description) => {
  expect(describeStatement(text)).toBe(description)
})
