import { deploymentOf } from '../mongo/connect.ts'

/** The key that the secrets of a database are encrypted with, by its id. */
type SecretsKeyDocument = {
  _id: 'secrets_key'
  key_id: string
  /** The id of the next key, while a rotation runs. */
  rotating_to?: string
}

/** A field of a collection that holds encrypted texts, at any depth. */
export type SealedField = { collection: string; field: string }

export const secretsKeyOf = deploymentOf<SecretsKeyDocument>
