"""Reads the exports of a job in a folder with readers that are not ours, and prints what is in them."""
import json
import sys

import duckdb
import openpyxl

folder = sys.argv[1]
places, reviews, kind = duckdb.sql(
    f"""SELECT count(*), sum(json_array_length(user_reviews_extended)), any_value(typeof(created_at))
    FROM '{folder}/places.parquet'"""
).fetchall()[0]
workbook = openpyxl.load_workbook(f"{folder}/places.xlsx", read_only=True)
rows = {sheet.title: sum(1 for _ in sheet.iter_rows()) for sheet in workbook}
print(json.dumps({"parquet": {"places": places, "reviews": int(reviews), "created_at": kind}, "workbook": rows}))
