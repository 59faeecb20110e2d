import type { Db } from 'mongodb'
import { resultsOf } from './collection.ts'
import type { ResultTotals } from './documents.ts'

/** What is stored of a job, counted from the places themselves and not from their running sums. */
export async function recountTotals(db: Db, job_id: string): Promise<ResultTotals> {
  const length = (list: string) => ({ $size: { $ifNull: [`$place.${list}`, []] } })
  const [counted] = await resultsOf(db)
    .aggregate<ResultTotals>([
      { $match: { job_id, place_key: { $exists: true } } },
      {
        $group: {
          _id: null,
          places: { $sum: 1 },
          reviews: { $sum: { $add: [length('user_reviews'), length('user_reviews_extended')] } },
          images: { $sum: length('images') },
        },
      },
      { $project: { _id: 0 } },
    ])
    .toArray()
  return counted ?? { places: 0, reviews: 0, images: 0 }
}
