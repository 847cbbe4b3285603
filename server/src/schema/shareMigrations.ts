import { sql } from 'kysely'
import type { Migrations } from '../kit/database/migrations.ts'
import { createAuditTable } from './createAuditTable.ts'
import { createMailTurnTable } from './createMailTurnTable.ts'
import { createRefusalTable } from './createRefusalTable.ts'

/** The tables of the share store. It knows users by the ids of the auth service, and stores no e-mail addresses and no keys. */
export const shareMigrations: Migrations = {
  '001-share-secrets': {
    async up(database) {
      await sql`
        create table share_pepper (
          id smallint primary key default 1 check (id = 1),
          secret bytea not null
        )`.execute(database)
      // Data keys. Deleting a row makes everything sealed with it unreadable: exclude this table from long-term backups.
      await sql`
        create table share_data_key (
          owner text not null,
          scope text not null,
          key_id text not null,
          secret bytea not null,
          primary key (owner, scope)
        )`.execute(database)
      await sql`
        create table share_auto (
          user_id text primary key,
          secret bytea not null
        )`.execute(database)
    },
  },
  '002-share-wallets': {
    async up(database) {
      await sql`
        create table share_wallet (
          user_id text primary key,
          wallet_id bytea not null,
          epoch bigint not null,
          vault bytea not null,
          created_at bigint not null
        )`.execute(database)
      // A set is a draft until `live_at` is set. Old drafts are deleted. Clients choose all ids, so they count only together
      // with the user: a stranger may use the same ones.
      await sql`
        create table share_set (
          user_id text not null,
          set_id bytea not null,
          wallet_id bytea not null,
          epoch bigint not null,
          key_thumbprint text not null,
          share bytea not null,
          vault bytea,
          created_at bigint not null,
          live_at bigint,
          used_at bigint not null,
          primary key (user_id, set_id)
        )`.execute(database)
      await sql`create index share_set_by_key on share_set (key_thumbprint)`.execute(database)
      await sql`create index share_set_drafts on share_set (created_at) where live_at is null`.execute(database)
      await sql`
        create table share_wrap (
          user_id text not null,
          wallet_id bytea not null,
          set_id bytea not null,
          id text not null,
          method text not null,
          wrapped bytea not null,
          facts text not null,
          created_at bigint not null,
          live_at bigint,
          primary key (user_id, set_id, id)
        )`.execute(database)
    },
  },
  '003-share-devices': {
    async up(database) {
      // Devices that enrolled a key share. They need no further approval, even after a new epoch removed that share.
      await sql`
        create table share_device (
          user_id text not null,
          key_thumbprint text not null,
          since bigint not null,
          seen_at bigint not null,
          founder boolean not null,
          primary key (user_id, key_thumbprint)
        )`.execute(database)
      // Keyed hash of the mailbox that approves a user's devices. The auth service cannot redirect approvals to another one.
      await sql`
        create table share_contact (
          user_id text primary key,
          mailbox bytea not null,
          next bytea,
          asked_at bigint,
          secret bytea,
          stopped_at bigint
        )`.execute(database)
      // The contact is a keyed hash of the provider account or of the mailbox.
      await sql`
        create table share_identity (
          user_id text not null,
          key_thumbprint text not null,
          contact bytea not null,
          approved_at bigint not null,
          primary key (user_id, key_thumbprint)
        )`.execute(database)
    },
  },
  '004-share-device-approvals': {
    async up(database) {
      await sql`
        create table share_link (
          id uuid primary key,
          secret bytea not null,
          match text not null,
          mailbox bytea not null,
          client bytea not null,
          key_thumbprint text not null,
          origin text not null,
          browser text not null,
          place text not null,
          created_at bigint not null,
          expires_at bigint not null,
          tries smallint not null default 0,
          approved_at bigint
        )`.execute(database)
      await sql`create index share_link_by_mailbox on share_link (mailbox, created_at)`.execute(database)
      await sql`create index share_link_by_client on share_link (client, created_at)`.execute(database)
      await sql`create index share_link_by_key on share_link (key_thumbprint)`.execute(database)
      await sql`create index share_link_by_time on share_link (created_at)`.execute(database)
      await createMailTurnTable(database, 'share_mail_turn')
      await sql`
        create table share_proof (
          id bytea primary key,
          expires_at bigint not null
        )`.execute(database)
    },
  },
  '005-share-account': {
    async up(database) {
      await sql`
        create table share_deletion (
          user_id text primary key,
          at bigint not null
        )`.execute(database)
      await createAuditTable(database, 'share_audit')
    },
  },
  '006-share-provider-logins': {
    async up(database) {
      // The share store's own logins at identity providers. The contact is a keyed hash of the account.
      await sql`
        create table share_login (
          id uuid primary key,
          provider text not null,
          state bytea not null unique,
          key_thumbprint text not null,
          origin text not null,
          secrets bytea not null,
          contact bytea,
          code bytea,
          tries smallint not null default 0,
          expires_at bigint not null,
          used_at bigint,
          redeemed_at bigint
        )`.execute(database)
      await sql`create index share_login_by_time on share_login (expires_at)`.execute(database)
    },
  },
  '007-share-farcaster-challenges': {
    async up(database) {
      await sql`
        create table share_farcaster_login (
          challenge bytea primary key,
          key_thumbprint text not null,
          expires_at bigint not null,
          used_at bigint
        )`.execute(database)
      await sql`create index share_farcaster_login_by_time on share_farcaster_login (expires_at)`.execute(database)
    },
  },
  '008-share-device-requests': {
    async up(database) {
      // New devices that wait for a second proof: two digits on a known device, or a day.
      await sql`
        create table share_device_request (
          id uuid primary key,
          user_id text not null,
          key_thumbprint text not null,
          match text not null,
          tries smallint not null default 0,
          browser text not null,
          place text not null,
          created_at bigint not null,
          approved_at bigint,
          stopped_at bigint,
          unique (user_id, key_thumbprint)
        )`.execute(database)
      await sql`create index share_device_request_by_time on share_device_request (created_at)`.execute(database)
      await sql`alter table share_identity add column needs_second_proof boolean not null default false`.execute(
        database,
      )
    },
  },
  '009-share-policies': {
    async up(database) {
      // Signed and sealed by the wallet: one row for each kind.
      await sql`
        create table share_policy (
          user_id text not null,
          kind text not null,
          counter bigint not null,
          verifier bytea not null,
          sealed bytea not null,
          signature bytea not null,
          stored_at bigint not null,
          primary key (user_id, kind)
        )`.execute(database)
      // Requests that wait for the approval of another device, for minutes. The decision is JSON.
      await sql`
        create table share_policy_request (
          id uuid primary key,
          user_id text not null,
          key_thumbprint text not null,
          sealed bytea not null,
          expires_at bigint not null,
          decision text
        )`.execute(database)
      await sql`create index share_policy_request_by_user on share_policy_request (user_id)`.execute(database)
      await sql`create index share_policy_request_by_time on share_policy_request (expires_at)`.execute(database)
    },
  },
  '010-share-link-purposes': {
    async up(database) {
      // A link approves a device, or confirms the mailbox that becomes the contact of a wallet.
      await sql`alter table share_link add column purpose text not null default 'device'`.execute(database)
    },
  },
  '011-share-passkeys': {
    async up(database) {
      // The public keys of passkeys that are recovery methods. They approve new devices, and open nothing.
      await sql`
        create table share_passkey (
          user_id text not null,
          id bytea not null,
          public_key bytea not null,
          created_at bigint not null,
          primary key (user_id, id)
        )`.execute(database)
      await sql`
        create table share_challenge (
          challenge bytea primary key,
          user_id text not null,
          key_thumbprint text not null,
          expires_at bigint not null
        )`.execute(database)
      await sql`create index share_challenge_by_time on share_challenge (expires_at)`.execute(database)
    },
  },
  '012-share-contact-owners': {
    async up(database) {
      // A contact has one wallet, whatever user id the auth service gives its owner.
      await sql`create index share_contact_by_mailbox on share_contact (mailbox)`.execute(database)
      await sql`create index share_contact_by_next on share_contact (next)`.execute(database)
    },
  },
  '013-share-wallet-keys': {
    async up(database) {
      // The public key with which the wallet proves that it is open. Wallets from before have none.
      await sql`alter table share_wallet add column proof_key bytea`.execute(database)
      await sql`alter table share_set add column proof_key bytea`.execute(database)
    },
  },
  '014-share-link-networks': {
    async up(database) {
      // Keyed hash of the network of the request: the /24 of IPv4, the /48 of IPv6. Links from before count for none.
      await sql`alter table share_link add column network bytea`.execute(database)
      await sql`create index share_link_by_network on share_link (network, created_at)`.execute(database)
    },
  },
  '015-share-refusals': {
    async up(database) {
      await createRefusalTable(database, 'share_refusal')
    },
  },
  '016-share-served-turns': {
    async up(database) {
      // The last mail that a network got from the queue: networks without one come first.
      await sql`alter table share_mail_turn add column served_at bigint`.execute(database)
    },
    async down(database) {
      await sql`alter table share_mail_turn drop column served_at`.execute(database)
    },
  },
  '017-share-set-proofs': {
    async up(database) {
      // When the device of an enrolment proved that the wallet is open there. Only such an enrolment replaces unused ones.
      await sql`alter table share_set add column proven_at bigint`.execute(database)
      await sql`
        update share_set set proven_at = live_at
        from share_device
        where share_device.user_id = share_set.user_id and share_device.key_thumbprint = share_set.key_thumbprint
          and founder and live_at is not null`.execute(database)
    },
    async down(database) {
      await sql`alter table share_set drop column proven_at`.execute(database)
    },
    loses: 'which enrolments were made by devices that had the wallet open',
  },
}
