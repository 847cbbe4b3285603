import type { PartialMessages } from '@latchkey/protocol/messages'
import type { ButtonsMessages, Messages, ModalMessages } from '@latchkey/modal/messages'

/** The texts of the buttons and of the modal, by group. The texts of the single flows are fetched with their flow. */
export type Strings = ButtonsMessages & ModalMessages

/** Replaces single texts of the current language, by group and name. */
export type StringOverrides = PartialMessages<Messages>
