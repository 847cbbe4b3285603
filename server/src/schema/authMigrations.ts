import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'
import { createAuditTable } from './createAuditTable.ts'
import { createMailTurnTable } from './createMailTurnTable.ts'
import { createRefusalTable } from './createRefusalTable.ts'

/** The tables of the auth service. */
export const authMigrations: Migrations = {
  '001-auth-secrets': {
    async up(database) {
      await sql`
        create table auth_pepper (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
      // Data keys. Deleting a row makes everything sealed with it unreadable: exclude this table from long-term backups.
      await sql`
        create table auth_data_key (
          owner text not null,
          scope text not null,
          key_id text not null,
          secret bytea not null,
          primary key (owner, scope)
        )`.execute(database)
      await sql`
        create table auth_signing_key (
          id uuid primary key,
          created_at bigint not null,
          secret bytea not null
        )`.execute(database)
    },
  },
  '002-auth-logins': {
    async up(database) {
      // The address and the code are stored as keyed hashes only. The hash key is not in the database.
      await sql`
        create table auth_code (
          id uuid primary key,
          purpose text not null,
          mailbox bytea not null,
          domain bytea not null,
          client bytea not null,
          project text not null,
          known boolean not null,
          key_thumbprint text not null,
          code bytea not null,
          created_at bigint not null,
          expires_at bigint not null,
          tries smallint not null default 0,
          used_at bigint,
          void_at bigint
        )`.execute(database)
      await sql`create index auth_code_by_mailbox on auth_code (mailbox, known, created_at)`.execute(database)
      await sql`create index auth_code_by_time on auth_code (created_at)`.execute(database)
      await sql`create index auth_code_by_client on auth_code (client, known, created_at)`.execute(database)
      await sql`create index auth_code_by_domain on auth_code (domain, known, created_at)`.execute(database)
      await sql`create index auth_code_by_project on auth_code (project, known, created_at)`.execute(database)
      await createMailTurnTable(database, 'auth_mail_turn')
      await sql`
        create table auth_session (
          id uuid primary key,
          user_id text not null,
          key_thumbprint text not null,
          methods text[] not null,
          begun_at bigint not null,
          ended_at bigint
        )`.execute(database)
      await sql`create index auth_session_by_user on auth_session (user_id)`.execute(database)
      await sql`create index auth_session_by_begin on auth_session (begun_at)`.execute(database)
      await sql`create index auth_session_by_end on auth_session (ended_at) where ended_at is not null`.execute(
        database,
      )
      await sql`
        create table auth_refresh (
          token bytea primary key,
          session uuid not null references auth_session on delete cascade,
          created_at bigint not null,
          expires_at bigint not null,
          traded_at bigint
        )`.execute(database)
      await sql`create index auth_refresh_by_session on auth_refresh (session)`.execute(database)
      await sql`create index auth_refresh_by_expiry on auth_refresh (expires_at)`.execute(database)
      // Used DPoP proofs, kept until they expire, so that none is accepted twice.
      await sql`
        create table auth_proof (
          id bytea primary key,
          expires_at bigint not null
        )`.execute(database)
      await sql`create index auth_proof_by_time on auth_proof (expires_at)`.execute(database)
    },
  },
  '003-auth-wallets': {
    async up(database) {
      await sql`
        create table auth_user (
          id uuid primary key,
          mailbox bytea unique,
          email bytea,
          created_at bigint not null
        )`.execute(database)
      await sql`
        create table auth_key (
          key_thumbprint text not null,
          user_id uuid not null references auth_user on delete cascade,
          seen_at bigint not null,
          since bigint not null default 0,
          primary key (key_thumbprint, user_id)
        )`.execute(database)
      await sql`
        create table auth_wallet (
          user_id uuid primary key references auth_user on delete cascade,
          wallet_id bytea not null,
          epoch bigint not null,
          accounts text not null,
          founder text,
          exported_at bigint
        )`.execute(database)
      // Clients choose all ids, so they count only together with the user: a stranger may use the same ones.
      await sql`
        create table auth_share (
          user_id uuid not null references auth_user on delete cascade,
          set_id bytea not null,
          wallet_id bytea not null,
          epoch bigint not null,
          key_thumbprint text not null,
          share bytea not null,
          accounts text not null,
          created_at bigint not null,
          live_at bigint,
          used_at bigint not null default 0,
          browser text not null default '',
          origin text,
          verifier bytea,
          notice bytea,
          settled_at bigint,
          primary key (user_id, set_id)
        )`.execute(database)
    },
  },
  '004-auth-passkeys': {
    async up(database) {
      await sql`
        create table auth_passkey (
          user_id uuid not null references auth_user on delete cascade,
          id bytea not null,
          public_key bytea not null,
          created_at bigint not null,
          primary key (user_id, id)
        )`.execute(database)
      await sql`
        create table auth_challenge (
          challenge bytea primary key,
          user_id uuid not null references auth_user on delete cascade,
          key_thumbprint text not null,
          expires_at bigint not null
        )`.execute(database)
    },
  },
  '005-auth-password-oprf': {
    async up(database) {
      await sql`
        create table auth_oprf_secret (
          version integer primary key,
          secret bytea not null
        )`.execute(database)
      await sql`
        create table auth_oprf (
          user_id uuid primary key references auth_user on delete cascade,
          failures integer not null,
          paused_until bigint not null
        )`.execute(database)
      await sql`
        create table auth_oprf_try (
          user_id uuid not null references auth_user on delete cascade,
          at bigint not null
        )`.execute(database)
      await sql`create index auth_oprf_try_by_user on auth_oprf_try (user_id, at)`.execute(database)
    },
  },
  '006-auth-account': {
    async up(database) {
      await createAuditTable(database, 'auth_audit')
      await sql`
        create table auth_email_change (
          id uuid primary key,
          user_id uuid not null references auth_user on delete cascade,
          key_thumbprint text not null,
          email bytea not null,
          created_at bigint not null,
          primary_code uuid,
          primary_at bigint,
          secondary_code uuid,
          done_at bigint,
          old_email bytea,
          old_mailbox bytea,
          secret bytea,
          revert_until bigint,
          reverted_at bigint
        )`.execute(database)
      await sql`
        create table auth_deletion (
          user_id uuid primary key references auth_user on delete cascade,
          secret bytea not null,
          at bigint not null
        )`.execute(database)
    },
  },
  '007-auth-social-logins': {
    async up(database) {
      // The subject is a keyed hash: the table does not reveal the provider account.
      await sql`
        create table auth_identity (
          provider text not null,
          subject bytea not null,
          user_id uuid not null unique references auth_user on delete cascade,
          name bytea,
          created_at bigint not null,
          primary key (provider, subject)
        )`.execute(database)
      // One row per login attempt, kept for minutes. The secrets and the provider's response are sealed.
      await sql`
        create table auth_social (
          id uuid primary key,
          provider text not null,
          state bytea not null unique,
          key_thumbprint text not null,
          origin text not null,
          browser text not null,
          secrets bytea not null,
          match text not null,
          tries smallint not null default 0,
          created_at bigint not null,
          expires_at bigint not null,
          used_at bigint,
          page bytea,
          answer bytea,
          problem text,
          next text,
          done_at bigint,
          redeemed_at bigint
        )`.execute(database)
      await sql`create index auth_social_by_time on auth_social (expires_at)`.execute(database)
    },
  },
  '008-auth-farcaster-logins': {
    async up(database) {
      // The token itself is in the link that the user sees; the table stores its hash.
      await sql`
        create table auth_channel (
          token bytea primary key,
          request text not null,
          response text,
          expires_at bigint not null
        )`.execute(database)
      await sql`create index auth_channel_by_time on auth_channel (expires_at)`.execute(database)
      await sql`
        create table auth_farcaster (
          id uuid primary key,
          key_thumbprint text not null,
          nonce text not null,
          channel bytea not null,
          expires_at bigint not null,
          redeemed_at bigint
        )`.execute(database)
      await sql`create index auth_farcaster_by_time on auth_farcaster (expires_at)`.execute(database)
    },
  },
  '009-auth-farcaster-challenges': {
    async up(database) {
      // The frame opens the channel itself. The service only issues a challenge that the signed message commits to.
      await sql`drop table auth_channel`.execute(database)
      await sql`drop table auth_farcaster`.execute(database)
      await sql`
        create table auth_farcaster_login (
          challenge bytea primary key,
          key_thumbprint text not null,
          expires_at bigint not null,
          used_at bigint
        )`.execute(database)
      await sql`create index auth_farcaster_login_by_time on auth_farcaster_login (expires_at)`.execute(database)
    },
  },
  '010-auth-policies': {
    async up(database) {
      // Signed and sealed by the wallet: one row for each kind. The secret belongs to the link that stops a pending change.
      await sql`
        create table auth_policy (
          user_id uuid not null references auth_user on delete cascade,
          kind text not null,
          counter bigint not null,
          verifier bytea not null,
          sealed bytea not null,
          signature bytea not null,
          stored_at bigint not null,
          secret bytea,
          primary key (user_id, kind)
        )`.execute(database)
    },
  },
  '011-auth-social-account': {
    async up(database) {
      await sql`alter table auth_social rename column answer to account`.execute(database)
    },
  },
  '012-auth-proven-devices': {
    async up(database) {
      // A day counts from the first proof, not from the first login.
      await sql`alter table auth_key add column proven_at bigint`.execute(database)
      await sql`
        update auth_key set proven_at = since
        where exists (
          select from auth_share
          where auth_share.user_id = auth_key.user_id and auth_share.key_thumbprint = auth_key.key_thumbprint
            and live_at is not null)`.execute(database)
      // The notice belongs to the device: one that gets a share and never enrols is one, too.
      await sql`alter table auth_key add column notice bytea, add column notice_at bigint`.execute(database)
      await sql`alter table auth_share drop column notice`.execute(database)
    },
  },
  '013-auth-removed-devices': {
    async up(database) {
      // The share store refuses a removed device until the owner approves it there again.
      await sql`
        create table auth_removed_device (
          user_id text not null,
          key_thumbprint text not null,
          at bigint not null,
          primary key (user_id, key_thumbprint)
        )`.execute(database)
      await sql`create index auth_removed_device_by_time on auth_removed_device (at)`.execute(database)
    },
  },
  '014-auth-code-networks': {
    async up(database) {
      // Keyed hash of the network of the request: the /24 of IPv4, the /48 of IPv6. Codes from before count for none.
      await sql`alter table auth_code add column network bytea`.execute(database)
      await sql`create index auth_code_by_network on auth_code (network, known, created_at)`.execute(database)
    },
  },
  '015-auth-refusals': {
    async up(database) {
      await createRefusalTable(database, 'auth_refusal')
    },
  },
  '016-auth-social-networks': {
    async up(database) {
      // Keyed hash of the network in which the login was begun: the /24 of IPv4, the /48 of IPv6.
      await sql`alter table auth_social add column network bytea`.execute(database)
      await sql`create index auth_social_by_network on auth_social (network, expires_at)`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_social drop column network`.execute(database)
    },
  },
  '017-auth-proven-deletions': {
    async up(database) {
      // False if only a login requested the deletion. Deletions from before keep their time.
      await sql`alter table auth_deletion add column proven boolean not null default true`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_deletion drop column proven`.execute(database)
    },
  },
  '018-auth-served-turns': {
    async up(database) {
      // The last mail that a network got from the queue: networks without one come first.
      await sql`alter table auth_mail_turn add column served_at bigint`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_mail_turn drop column served_at`.execute(database)
    },
  },
  '019-auth-oprf-budgets': {
    async up(database) {
      // Devices that proved more than a login count apart from the others, which the thief of one code may have.
      await sql`
        alter table auth_oprf add column proven boolean not null default true,
          drop constraint auth_oprf_pkey, add primary key (user_id, proven)`.execute(database)
      await sql`alter table auth_oprf_try add column proven boolean not null default true`.execute(database)
    },
    async down(database) {
      await sql`delete from auth_oprf where not proven`.execute(database)
      await sql`
        alter table auth_oprf drop constraint auth_oprf_pkey, drop column proven, add primary key (user_id)`.execute(
        database,
      )
      await sql`alter table auth_oprf_try drop column proven`.execute(database)
    },
    loses: 'the counts of failed passwords of devices that only logged in',
  },
  '020-auth-session-browsers': {
    async up(database) {
      // For the owner's list of devices. A device that is only logged in has no key share that names its browser.
      await sql`alter table auth_session add column browser text not null default ''`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_session drop column browser`.execute(database)
    },
  },
  '021-auth-share-proofs': {
    async up(database) {
      // When the device of a share proved that the wallet is open there. Only such a share replaces unused ones.
      await sql`alter table auth_share add column proven_at bigint`.execute(database)
      await sql`
        update auth_share set proven_at = live_at
        from auth_wallet
        where auth_wallet.user_id = auth_share.user_id and founder = key_thumbprint and live_at is not null`.execute(
        database,
      )
    },
    async down(database) {
      await sql`alter table auth_share drop column proven_at`.execute(database)
    },
    loses: 'which shares belong to devices that had the wallet open',
  },
  '022-auth-deletion-reminders': {
    async up(database) {
      // The request as JSON, which a second notice names, and the hash of the secret of its link.
      await sql`alter table auth_deletion add column request text, add column reminder bytea`.execute(database)
    },
    async down(database) {
      await sql`alter table auth_deletion drop column request, drop column reminder`.execute(database)
    },
    loses: 'the links of second notices before deletions',
  },
}
