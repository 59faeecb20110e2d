import { z } from 'zod'
import { address, line, paragraph, timestamp } from './text.ts'

const ReviewReply = z.object({ text: paragraph.optional(), published_at: timestamp.optional() }).meta({
  id: 'ReviewReply',
  description: "The owner's reply to a review.",
  examples: [{ text: 'Thank you, Ada!', published_at: '2026-02-12T08:00:00.000Z' }],
})

export const ReviewAnswer = z
  .object({
    id: line.describe('the question, the same in every language, e.g. `GUIDED_DINING_FOOD_ASPECT`'),
    name: line.optional().describe('the question in words, e.g. "Food"'),
    rating: z.number().min(0).max(5).optional(),
    choices: z.array(line).max(50).optional(),
  })
  .meta({
    id: 'ReviewAnswer',
    description: 'The answer of a reviewer to a question of the map site.',
    examples: [{ id: 'GUIDED_DINING_PRICE_RANGE', name: 'Price per person', choices: ['€20–30'] }],
  })
export type ReviewAnswer = z.infer<typeof ReviewAnswer>

export const Review = z
  .object({
    id: line,
    author: line.optional(),
    author_url: address.optional(),
    profile_picture: address.optional(),
    rating: z.number().min(0).max(5).optional(),
    text: paragraph.optional(),
    text_original: paragraph.optional().describe('the text as written, when `text` is its translation'),
    language: line.optional(),
    published_at: timestamp.optional(),
    relative_time: line.optional().describe('the age of the review in the words of the site, e.g. "2 months ago"'),
    images: z.array(address).max(200).optional(),
    videos: z.array(address).max(200).optional(),
    answers: z.array(ReviewAnswer).max(50).optional().describe('answers to questions of the map site'),
    reply: ReviewReply.optional().describe("the owner's reply"),
  })
  .describe('A customer review of a place.')
export type Review = z.infer<typeof Review>
